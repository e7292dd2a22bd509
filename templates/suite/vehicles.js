/**
 * Vehicles seen from above, for every game that has some. They are drawn heading right, around the origin; a *material*
 * says how surfaces look. Sizes are pixels of the square.
 */
import {
  brightness,
  darken,
  fade,
  glowing,
  gradient,
  inkOn,
  inset,
  lighten,
  line,
  mix,
  outline,
  panel,
  polygon,
  shadowed,
  stamped,
  wood,
} from "./paint.js";

/** How bodies, roofs and glass look; `wheel`, `lamp` and `tail` are colours, null where there are none. */
const MATERIALS = {
  gloss: {
    body(ctx, box, radius, colour) {
      const { x, y, w, h } = box;
      panel(ctx, box, radius, darken(colour, 0.42));
      const stops = [lighten(colour, 0.12), lighten(colour, 0.28), colour, darken(colour, 0.1), darken(colour, 0.24)];
      panel(ctx, inset(box, h * 0.022), radius, gradient(ctx, [x, y], [x, y + h], stops));
      const shine = { x: x + w * 0.06, y: y + h * 0.07, w: w * 0.88, h: h * 0.055 };
      panel(ctx, shine, h * 0.03, fade("#ffffff", 0.34));
    },
    roof(ctx, box, radius, colour) {
      const { x, y, h } = box;
      const stops = [lighten(colour, 0.32), lighten(colour, 0.12), darken(colour, 0.04)];
      panel(ctx, box, radius, gradient(ctx, [x, y], [x, y + h], stops));
    },
    glass(ctx, points) {
      polygon(ctx, points, gradient(ctx, points[0], points[2], ["#5d7894", "#27384d", "#1a2636"]));
    },
    wheel: "#1b1f25",
    lamp: "#fff2c0",
    tail: "#ff4a3d",
  },
  flat: {
    body: (ctx, box, radius, colour) => panel(ctx, box, radius, colour),
    roof: (ctx, box, radius, colour) => panel(ctx, box, radius, lighten(colour, 0.2)),
    glass: (ctx, points, colour) => polygon(ctx, points, darken(colour, 0.55)),
    wheel: "#2f3640",
    lamp: "#fff7d6",
    tail: "#b3261e",
  },
  wood: {
    body(ctx, box, radius, colour) {
      panel(ctx, box, radius, darken(colour, 0.5));
      wood(ctx, inset(box, box.h * 0.025), radius, colour, { seed: Math.round(box.w) });
      outline(
        ctx,
        inset(box, box.h * 0.05),
        Array.isArray(radius) ? radius[0] : radius,
        fade("#fff2d8", 0.35),
        box.h * 0.022,
      );
    },
    roof: (ctx, box, radius, colour) => wood(ctx, box, radius, lighten(colour, 0.14), { seed: 5 }),
    glass: (ctx, points, colour) => polygon(ctx, points, darken(mix(colour, "#3a2413", 0.5), 0.5)),
    wheel: "#3a2414",
    lamp: "#f4dfae",
    tail: "#7d2014",
  },
  neon: {
    body(ctx, box, radius, colour) {
      panel(ctx, box, radius, mix("#0b0e1d", colour, 0.2));
      const width = Math.max(1.5, box.h * 0.04);
      glowing(ctx, fade(colour, 0.9), box.h * 0.2, () =>
        outline(ctx, box, corner(radius), lighten(colour, 0.25), width),
      );
    },
    roof: (ctx, box, radius, colour) =>
      outline(ctx, box, corner(radius), fade(colour, 0.75), Math.max(1, box.h * 0.03)),
    glass: (ctx, points, colour) => polygon(ctx, points, fade(lighten(colour, 0.35), 0.5)),
    wheel: null,
    lamp: "#fdf6d0",
    tail: "#ff3b5c",
  },
};

const corner = (radius) => (Array.isArray(radius) ? Math.max(...radius) : radius);

/**
 * A vehicle in its place.
 * @param {[number, number]} centre
 * @param {number} turn radians clockwise from heading right
 * @param {[number, number]} size length and width
 * @param {{kind: "car"|"lorry", colour: string, material: string, lifted?: boolean, mark?: "stripes"|"arrow"}} look
 */
export function vehicle(ctx, centre, turn, size, look) {
  const reach = Math.ceil(size[0] * 0.52 + size[1] * 0.5); // with what a shadow or a glow adds
  const box = { x: centre[0] - reach, y: centre[1] - reach, w: 2 * reach, h: 2 * reach };
  stamped(ctx, ["vehicle", turn, size, look], box, (stamp) => {
    stamp.translate(reach, reach);
    stamp.rotate(turn);
    paintVehicle(stamp, size, look);
  });
}

function paintVehicle(ctx, size, look) {
  const raised = look.lifted ? 3 : look.material === "flat" ? 0 : 1;
  if (look.lifted) ctx.scale(1.035, 1.035);
  const footprint = { x: -size[0] / 2, y: -size[1] / 2, w: size[0], h: size[1] };
  const chassis = look.material === "neon" ? "#0b0e1d" : darken(look.colour, 0.5);
  const shadow = { blur: raised * size[1] * 0.1, dy: raised * size[1] * 0.05, colour: "rgba(8,10,20,0.5)" };
  shadowed(ctx, shadow, () => panel(ctx, inset(footprint, 2), size[1] * 0.2, chassis));
  (look.kind === "car" ? car : lorry)(ctx, size, look, MATERIALS[look.material]);
}

function car(ctx, [length, width], { colour, mark }, material) {
  const at = (x, y) => [x * length, y * width];
  wheels(ctx, [-0.29, 0.29], [length, width], material);
  for (const side of [-1, 1])
    panel(ctx, part(length, width, 0.13, side * 0.535 - 0.035, 0.05, 0.07), 3, darken(colour, 0.25));
  const body = { x: -length / 2, y: -width / 2, w: length, h: width };
  material.body(ctx, body, [width * 0.2, width * 0.32, width * 0.32, width * 0.2], colour);
  if (mark === "stripes") stripes(ctx, body, colour);
  material.glass(ctx, trapezium(0.1 * length, 0.34 * width, 0.23 * length, 0.4 * width), colour);
  material.glass(ctx, trapezium(-0.27 * length, 0.32 * width, -0.36 * length, 0.36 * width), colour);
  for (const side of [-1, 1]) {
    const window = [at(-0.26, side * 0.36), at(-0.3, side * 0.42), at(0.16, side * 0.42), at(0.08, side * 0.36)];
    material.glass(ctx, window, colour);
  }
  const roof = part(length, width, -0.26, -0.32, 0.35, 0.64);
  material.roof(ctx, roof, width * 0.12, colour);
  if (mark === "stripes") stripes(ctx, roof, colour);
  lamps(ctx, [length, width], material);
}

function lorry(ctx, [length, width], { colour, mark }, material) {
  const cab = Math.min(width * 0.82, length * 0.4);
  const [front, box] = [length / 2 - cab, length - cab * 0.93];
  wheels(ctx, length > 2.6 * width ? [-0.38, -0.22, 0.36] : [-0.3, 0.3], [length, width], material);
  material.body(ctx, { x: front - cab * 0.1, y: -width * 0.16, w: cab * 0.3, h: width * 0.32 }, 1, darken(colour, 0.5));
  const head = { x: front + cab * 0.07, y: -width * 0.46, w: cab * 0.93, h: width * 0.92 };
  const paler = lighten(colour, brightness(colour) > 0.75 ? 0 : 0.22);
  material.body(ctx, head, [width * 0.1, width * 0.26, width * 0.26, width * 0.1], paler);
  material.glass(ctx, trapezium(front + cab * 0.5, width * 0.32, front + cab * 0.76, width * 0.39), colour);
  const load = { x: -length / 2, y: -width / 2, w: box - cab * 0.03, h: width };
  material.body(ctx, load, width * 0.1, colour);
  if (mark === "arrow") arrow(ctx, load, material.wheel ? inkOn(colour, "#232936") : "#ffffff");
  else ribs(ctx, load, colour);
  if (mark === "stripes") stripes(ctx, load, colour);
  lamps(ctx, [length, width], material);
}

/** A pane across the vehicle, from x0 and half as wide as `half0` says, to x1 and `half1`. */
const trapezium = (x0, half0, x1, half1) => [
  [x0, -half0],
  [x1, -half1],
  [x1, half1],
  [x0, half0],
];

/** A box given in shares of length and width. */
const part = (length, width, x, y, w, h) => ({ x: x * length, y: y * width, w: w * length, h: h * width });

function wheels(ctx, places, [length, width], { wheel }) {
  if (!wheel) return;
  for (const x of places) {
    for (const y of [-width * 0.53, width * 0.43]) {
      panel(ctx, { x: x * length - width * 0.18, y, w: width * 0.36, h: width * 0.1 }, width * 0.04, wheel);
    }
  }
}

function lamps(ctx, [length, width], { lamp, tail }) {
  for (const side of [-1, 1]) {
    const y = side * width * 0.34 - width * 0.07;
    panel(ctx, { x: length / 2 - width * 0.09, y, w: width * 0.07, h: width * 0.14 }, width * 0.03, lamp);
    panel(ctx, { x: -length / 2 + width * 0.02, y, w: width * 0.05, h: width * 0.14 }, width * 0.02, tail);
  }
}

function stripes(ctx, { x, w, h }, colour) {
  ctx.fillStyle = fade(inkOn(colour, "#20242c"), 0.92);
  for (const y of [-0.13, 0.05]) ctx.fillRect(x + h * 0.04, y * h, w - h * 0.08, h * 0.08);
}

function ribs(ctx, { x, y, w, h }, colour) {
  const count = Math.max(2, Math.round(w / (h * 0.42)));
  for (let i = 1; i < count; i++) {
    const at = x + (w * i) / count;
    line(ctx, [at, y + h * 0.14], [at, y + h * 0.86], fade(darken(colour, 0.5), 0.35), Math.max(1, h * 0.03));
  }
}

/** A broad arrow that points forward, in the middle of a box. */
function arrow(ctx, { x: left, y: top, w, h }, ink) {
  const reach = Math.min(w * 0.4, h * 0.62);
  const [cx, cy, half] = [left + w / 2, top + h / 2, h * 0.27];
  const [tail, neck, tip, stem] = [cx - reach, cx + reach * 0.1, cx + reach, half * 0.42];
  const above = [
    [tail, stem],
    [neck, stem],
    [neck, half],
    [tip, 0],
  ].map(([x, y]) => [x, cy - y]);
  const below = above.map(([x, y]) => [x, 2 * cy - y]).reverse();
  polygon(ctx, [...above, ...below], ink);
}
