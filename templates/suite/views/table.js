/** The views of the six games, each loaded when it is first needed. */
export const VIEWS = {
  bolt_unscrew: () => import("./bolt_unscrew.js"),
  rush_hour: () => import("./rush_hour.js"),
  nut_and_bolt: () => import("./nut_and_bolt.js"),
  truck_escape: () => import("./truck_escape.js"),
  maze_paint: () => import("./maze_paint.js"),
  color_connect: () => import("./color_connect.js"),
};
