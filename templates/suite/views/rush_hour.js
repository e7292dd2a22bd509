/** Rush Hour: a car park with one way out. */
import {
  SIDE, backdrop, block, ease, fade, glowing, hollow, kept, lerp, ordinal, outline, panel, shadowed, stroke, wood,
} from "../paint.js";
import { vehicle } from "../vehicles.js";

const BRIGHT = ["#3f7fdb", "#f2b632", "#46a861", "#9a63c9", "#ef8a3a", "#35b1b8", "#e77fae", "#8a6a4d", "#e9ecef", "#344a8f"];
const TOYS = ["#c98f4e", "#8f6b3f", "#b7a05a", "#6f8f5a", "#5f7f8f", "#a9713a", "#d8b684", "#7a5c74"];
const FLAT = ["#4a90e2", "#ffb703", "#2fb37a", "#8e6cef", "#fb8b24", "#20b2c4", "#f078a8", "#7b8794", "#a3c644", "#3d5a98"];
const NEON = ["#35c9ff", "#ffe14a", "#4dff9a", "#b78bff", "#ff9a3c", "#3dfff0", "#ff7ad1", "#8fa8ff", "#c8ff4a", "#e0e6ff"];

/** Looks of the game; the first is the default. */
export const themes = {
  classic: {
    material: "gloss", target: "#dd2b2b", vehicles: BRIGHT, backdrop: ["#b9cdb2", "#8fae92"],
    frame: "#d9d4c7", floor: "#505864", line: "#ffffff", lines: 0.2, exit: "#ffffff",
  },
  flat: {
    material: "flat", target: "#e5383b", vehicles: FLAT, backdrop: ["#f4f7fb", "#e6ecf4"],
    frame: "#c3cedd", floor: "#ffffff", line: "#9fb0c6", lines: 0.45, exit: "#e5383b",
  },
  night: {
    material: "neon", target: "#ff2f4e", vehicles: NEON, backdrop: ["#1a1f3c", "#0a0c1a"],
    frame: "#262d55", floor: "#0e1225", line: "#5a6ab8", lines: 0.3, exit: "#ff4d68",
  },
  wood: {
    material: "wood", target: "#b52a1f", vehicles: TOYS, backdrop: ["#efe0c6", "#d3b98f"],
    frame: "#8a5a30", floor: "#5a3a22", line: "#000000", lines: 0.16, exit: "#f6e2b8",
  },
};

const OUTWARD = { right: [1, 0, 0], bottom: [0, 1, 1], left: [-1, 0, 2], top: [0, -1, 3] };

/** The settled picture. A scene of `tween` may carry `shifts`, cells by vehicle id, and `out`, 0…1 of the way out. */
export function draw(ctx, scene, theme) {
  const { layout, view, hand, shifts = {}, out = 0 } = scene;
  const target = view.vehicles.find((one) => one.id === view.target);
  backdrop(ctx, theme);
  drawFrame(ctx, layout, view, theme);
  drawFloor(ctx, layout, view, theme);
  drawExit(ctx, layout, view, target, theme);
  for (const wall of view.walls) drawWall(ctx, layout, wall, theme);
  const held = hand?.vehicle;
  const order = [...view.vehicles].sort((a, b) => (a.id === held) - (b.id === held));
  for (const one of order) {
    const shift = shifts[one.id] ?? (one.id === held ? hand.shift : 0);
    drawVehicle(ctx, layout, view, one, { shift, lifted: one.id === held, out: one === target ? out : 0 }, theme);
  }
}

const floorOf = ({ x, y, cell }, { rows, cols }) => ({ x, y, w: cols * cell, h: rows * cell });
const depthOf = ({ x, y, cell }) => Math.min(cell * 0.3, Math.min(x, y) * 0.55);

function drawFrame(ctx, layout, view, theme) {
  const [floor, depth] = [floorOf(layout, view), depthOf(layout)];
  const box = { x: floor.x - depth, y: floor.y - depth, w: floor.w + 2 * depth, h: floor.h + 2 * depth };
  const radius = depth * 0.9;
  if (theme.material === "flat") panel(ctx, box, radius, theme.frame);
  else shadowed(ctx, { blur: 26, dy: 10 }, () => block(ctx, box, radius, theme.frame, 0.1));
  if (theme.material === "wood") wood(ctx, box, radius, theme.frame, { seed: 3 });
  if (theme.material === "neon") glowing(ctx, theme.line, 16, () => outline(ctx, box, radius, theme.line, 2));
}

function drawFloor(ctx, { x, y, cell }, view, theme) {
  const floor = floorOf({ x, y, cell }, view);
  if (theme.material === "flat") panel(ctx, floor, 6, theme.floor);
  else hollow(ctx, floor, 6, theme.floor, 10);
  const [colour, width] = [fade(theme.line, theme.lines), 2];
  for (let col = 1; col < view.cols; col++) stroke(ctx, [[x + col * cell, y + 5], [x + col * cell, y + floor.h - 5]], colour, width);
  for (let row = 1; row < view.rows; row++) stroke(ctx, [[x + 5, y + row * cell], [x + floor.w - 5, y + row * cell]], colour, width);
}

/** The gap in the frame, a road out of the square, and chevrons that point out. */
function drawExit(ctx, layout, view, target, theme) {
  const [dx, , quarter] = OUTWARD[view.exit];
  const { x, y, cell } = layout;
  const floor = floorOf(layout, view);
  const line = dx ? y + (target.row + 0.5) * cell : x + (target.col + 0.5) * cell;
  const edge = { right: floor.x + floor.w, bottom: floor.y + floor.h, left: floor.x, top: floor.y }[view.exit];
  kept(ctx, () => {
    ctx.translate(...(dx ? [edge, line] : [line, edge]));
    ctx.rotate((quarter * Math.PI) / 2);
    ctx.fillStyle = theme.floor;
    ctx.fillRect(-2, -cell * 0.5, SIDE, cell);
    const [depth, size] = [depthOf(layout), cell * 0.16];
    for (const place of [depth * 0.6, depth * 0.6 + size * 1.1]) {
      stroke(ctx, [[place, -size], [place + size * 0.8, 0], [place, size]], theme.exit, cell * 0.07);
    }
  });
}

function drawWall(ctx, { x, y, cell }, [row, col], theme) {
  const box = { x: x + (col + 0.06) * cell, y: y + (row + 0.06) * cell, w: cell * 0.88, h: cell * 0.88 };
  shadowed(ctx, { blur: 10, dy: 4 }, () => block(ctx, box, cell * 0.08, theme.frame, 0.12));
  const [a, b] = [0.26, 0.74];
  for (const ends of [[[a, a], [b, b]], [[b, a], [a, b]]]) {
    const points = ends.map(([u, v]) => [x + (col + u) * cell, y + (row + v) * cell]);
    stroke(ctx, points, fade("#000000", 0.28), cell * 0.08);
  }
}

function drawVehicle(ctx, { x, y, cell }, view, one, { shift, lifted, out }, theme) {
  const upright = one.axis === "vertical";
  const isTarget = one.id === view.target;
  const [dx, dy, quarter] = OUTWARD[view.exit];
  const along = shift + one.length / 2;
  const centre = [
    x + (one.col + (upright ? 0.5 : along) + dx * out * one.length) * cell,
    y + (one.row + (upright ? along : 0.5) + dy * out * one.length) * cell,
  ];
  const number = ordinal(one.id);
  const turn = isTarget ? quarter : (upright ? 1 : 0) + (number % 2 ? 2 : 0);
  const colour = isTarget ? theme.target : theme.vehicles[number % theme.vehicles.length];
  const kind = one.length > 2 ? "lorry" : "car";
  const look = { kind, colour, material: theme.material, lifted, mark: isTarget ? "stripes" : undefined };
  vehicle(ctx, centre, (turn * Math.PI) / 2, [one.length * cell - cell * 0.14, cell * 0.78], look);
}

/** A vehicle that was let go glides to its cell, one that was moved otherwise slides there. */
export function tween(before, after, effect) {
  if (effect.kind !== "move") return null;
  const moved = after.view.vehicles.find((one) => {
    const was = before.view.vehicles.find((other) => other.id === one.id);
    return was && (was.row !== one.row || was.col !== one.col);
  });
  if (!moved) return null;
  const was = before.view.vehicles.find((other) => other.id === moved.id);
  const held = before.hand?.vehicle === moved.id ? before.hand.shift : 0;
  const from = was.row + was.col - moved.row - moved.col + held;
  return { ms: 160, at: (t) => ({ ...after, shifts: { [moved.id]: lerp(from, 0, ease.out(t)) } }) };
}
