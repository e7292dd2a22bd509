/** Maze Paint: a slab with carved corridors, a glossy ball, and the paint it leaves behind. */

import { SIDE, backdrop, bump, ease, gradient, kept, lerp, panel, radial, shadowed, stamped, wood } from "../paint.js";
import { region } from "../region.js";

export const themes = {
  classic: {
    backdrop: ["#eef1f7", "#cfd6e3"],
    wall: ["#ffffff", "#e6eaf2"],
    lit: "#ffffff",
    side: "#aab4c6",
    foot: "#7f8ba1",
    floor: ["#bac5d8", "#aab6cb"],
    line: "rgba(62, 76, 110, 0.16)",
    paint: ["#ff8a5c", "#f0527a"],
    paintEdge: "#d3406a",
    ball: ["#8fc0ff", "#2f6fe4", "#143586"],
    shade: "rgba(38, 50, 84, 0.36)",
  },
  flat: {
    flat: true,
    backdrop: ["#fdf3e3", "#fbe9cf"],
    wall: ["#6a4c93", "#6a4c93"],
    lit: "#6a4c93",
    side: "#6a4c93",
    foot: "#6a4c93",
    floor: ["#fffdf8", "#fffdf8"],
    line: "rgba(106, 76, 147, 0.18)",
    paint: ["#ff8fab", "#ff8fab"],
    paintEdge: "#ff8fab",
    ball: ["#1fb5a3", "#1fb5a3", "#1fb5a3"],
    shade: "rgba(0, 0, 0, 0)",
  },
  night: {
    backdrop: ["#1d2547", "#0a0d1c"],
    wall: ["#445090", "#364075"],
    lit: "#6573bd",
    side: "#222a55",
    foot: "#0a0d20",
    floor: ["#171c39", "#11152c"],
    line: "rgba(150, 170, 255, 0.16)",
    paint: ["#25dcc6", "#1c9fe6"],
    paintEdge: "#0f78a8",
    ball: ["#fff0b8", "#ffc531", "#c97a00"],
    shade: "rgba(0, 0, 0, 0.55)",
  },
  wood: {
    backdrop: ["#d8ecc2", "#9dc688"],
    wood: "#946640",
    lit: "#c08c5c",
    side: "#5d3b22",
    foot: "#38210f",
    floor: ["#f4e5c2", "#ead6aa"],
    line: "rgba(120, 84, 30, 0.2)",
    paint: ["#63c466", "#2f9e5b"],
    paintEdge: "#1f7d48",
    ball: ["#ffab9a", "#e2362f", "#861111"],
    shade: "rgba(48, 26, 8, 0.42)",
  },
};

const WALL = "#";
const PAINTED = "o";
const BARE = ".";
const SQUARE = { x: 0, y: 0, w: SIDE, h: SIDE };
const STEPS = { left: [0, -1], right: [0, 1], up: [-1, 0], down: [1, 0] };

/** The settled picture; a scene by `tween` may also hold `trail` (where a slide began) and a ball between cells. */
export function draw(ctx, scene, theme) {
  const { grid, ball } = scene.view;
  const { left, top, cell } = scene.layout;
  const depth = theme.flat ? 0 : Math.min(cell * 0.2, 20);
  const maze = { grid, rows: grid.length, cols: grid[0].length, left, top, cell, depth };
  const walls = grid.map((line) => line.replaceAll(PAINTED, BARE));
  const floor = region((row, col) => grid[row][col] !== WALL, maze, cell * 0.14);
  const layer = (name, paint) => stamped(ctx, ["maze_paint", name, theme, scene.layout, walls], SQUARE, paint);
  layer("slab", (under) => {
    backdrop(under, theme);
    drawSlab(under, maze, theme);
    drawFloor(under, maze, floor, theme);
  });
  kept(ctx, () => {
    ctx.clip(floor);
    drawPaint(ctx, maze, scene, theme);
  });
  layer("walls", (over) => {
    over.clip(floor);
    drawTiles(over, maze, theme);
    if (depth > 0) drawWallFronts(over, maze, floor, theme);
  });
  drawBall(ctx, maze, ball, theme);
}

/** The ball rolls and the paint follows it; a refused swipe nudges it against the wall. */
export function tween(before, after, effect) {
  if (effect.kind === "refused") return nudge(after, STEPS[effect.what.slide]);
  if (effect.kind !== "move") return null;
  const { ball: from, grid } = before.view;
  const to = after.view.ball;
  const cells = Math.abs(to[0] - from[0]) + Math.abs(to[1] - from[1]);
  const at = (t) => {
    const ball = from.map((place, axis) => lerp(place, to[axis], ease.out(t)));
    return { ...after, trail: from, view: { grid, ball } };
  };
  return { ms: Math.min(400, 150 + 25 * cells), at };
}

/** How much is painted. */
export function status({ view: { grid } }) {
  const cells = grid.flatMap((row) => [...row]);
  const floor = cells.filter((mark) => mark !== WALL).length;
  return { key: "painted", painted: cells.filter((mark) => mark === PAINTED).length, floor };
}

function nudge(scene, step) {
  const at = (t) => {
    const ball = scene.view.ball.map((place, axis) => place + 0.14 * step[axis] * bump(t));
    return { ...scene, view: { ...scene.view, ball } };
  };
  return { ms: 160, at };
}

function downwards(ctx, { rows, top, cell }, colours) {
  return gradient(ctx, [0, top], [0, top + rows * cell], colours);
}

/** The block the corridors are carved into: it reaches past the cells, as the border stops the ball as well. */
function drawSlab(ctx, maze, theme) {
  const { rows, cols, left, top, cell, depth } = maze;
  const rim = Math.min(cell * 0.5, 22);
  const box = { x: left - rim, y: top - rim, w: cols * cell + 2 * rim, h: rows * cell + 2 * rim };
  shadowed(ctx, { blur: 30, dy: 14, colour: theme.shade }, () => {
    panel(ctx, { ...box, y: box.y + depth * 0.7 }, rim, theme.side);
  });
  if (theme.wood) wood(ctx, box, rim, theme.wood, { seed: 3 });
  else panel(ctx, box, rim, gradient(ctx, [0, box.y], [0, box.y + box.h], theme.wall));
  kept(ctx, () => {
    ctx.beginPath();
    ctx.roundRect(box.x, box.y, box.w, box.h, rim);
    ctx.clip();
    ctx.strokeStyle = theme.lit;
    ctx.lineWidth = 4;
    ctx.stroke();
  });
}

/** The floor and its carved edge: bright where the top of a wall meets light from above, dark all around. */
function drawFloor(ctx, maze, floor, theme) {
  const width = Math.max(1, Math.min(3, maze.cell * 0.04));
  const rim = (colour, lineWidth) => {
    ctx.strokeStyle = colour;
    ctx.lineWidth = lineWidth;
    ctx.stroke(floor);
  };
  kept(ctx, () => {
    ctx.translate(0, width);
    rim(theme.lit, 2 * width);
  });
  rim(theme.foot, width);
  ctx.fillStyle = downwards(ctx, maze, theme.floor);
  ctx.fill(floor);
}

function drawPaint(ctx, maze, scene, theme) {
  const { grid, cell } = maze;
  const bare = (row, col) => grid[row]?.[col] === BARE;
  const meetsBare = (x, y) => bare(y, x) || bare(y - 1, x) || bare(y, x - 1) || bare(y - 1, x - 1);
  const paint = region(
    (row, col) => grid[row][col] === PAINTED,
    maze,
    (x, y) => (meetsBare(x, y) ? cell * 0.3 : 0),
  );
  if (scene.trail) addTrail(paint, maze, scene);
  ctx.fillStyle = theme.paintEdge;
  ctx.fill(paint);
  kept(ctx, () => {
    ctx.clip(paint);
    ctx.translate(0, -Math.max(1, Math.min(4, cell * 0.05)));
    ctx.fillStyle = downwards(ctx, maze, theme.paint);
    ctx.fill(paint);
  });
}

function addTrail(path, { left, top, cell }, { trail, view: { ball } }) {
  const [row, col] = trail.map((place, axis) => Math.min(place, ball[axis]));
  const [rows, cols] = trail.map((place, axis) => Math.abs(place - ball[axis]) + 1);
  path.roundRect(left + col * cell, top + row * cell, cols * cell, rows * cell, cell * 0.3);
}

/** Fine lines between cells, so that a long corridor can be counted. */
function drawTiles(ctx, { rows, cols, left, top, cell }, theme) {
  ctx.beginPath();
  for (let col = 1; col < cols; col++) {
    ctx.moveTo(left + col * cell, top);
    ctx.lineTo(left + col * cell, top + rows * cell);
  }
  for (let row = 1; row < rows; row++) {
    ctx.moveTo(left, top + row * cell);
    ctx.lineTo(left + cols * cell, top + row * cell);
  }
  ctx.strokeStyle = theme.line;
  ctx.lineWidth = Math.max(1, Math.min(3, cell * 0.03));
  ctx.stroke();
}

/** What is seen of the walls' sides, and the shadow they throw: everything but the floor, moved down by the depth. */
function drawWallFronts(ctx, { depth }, floor, theme) {
  const walls = new Path2D();
  walls.rect(-SIDE, -SIDE, 3 * SIDE, 3 * SIDE);
  walls.addPath(floor, new DOMMatrix([1, 0, 0, 1, 0, depth]));
  shadowed(ctx, { blur: depth * 0.9, dx: depth * 0.25, dy: depth * 0.5, colour: theme.shade }, () => {
    ctx.fillStyle = theme.side;
    ctx.fill(walls, "evenodd");
  });
}

function drawBall(ctx, { left, top, cell, depth }, [row, col], theme) {
  const radius = cell * 0.36;
  const [x, y] = [left + (col + 0.5) * cell, top + (row + 0.5) * cell + depth * 0.2];
  const shadow = { blur: radius * 0.5, dx: radius * 0.12, dy: radius * 0.32, colour: theme.shade };
  const [bright, body, dark] = theme.ball;
  shadowed(ctx, shadow, () => {
    ctx.fillStyle = ctx.createRadialGradient(x - radius * 0.35, y - radius * 0.42, radius * 0.1, x, y, radius);
    [bright, body, dark].forEach((colour, i) => ctx.fillStyle.addColorStop([0, 0.45, 1][i], colour));
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.fill();
  });
  if (theme.flat) return;
  const shine = [x - radius * 0.3, y - radius * 0.42];
  ctx.beginPath();
  ctx.ellipse(...shine, radius * 0.42, radius * 0.3, -0.5, 0, 2 * Math.PI);
  ctx.fillStyle = radial(ctx, shine, 0, radius * 0.42, ["#fffffff2", [0.35, "#ffffff8c"], [1, "#ffffff00"]]);
  ctx.fill();
}
