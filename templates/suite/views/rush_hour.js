/** Rush Hour: a car park with one way out. */
import {
  SIDE,
  backdrop,
  block,
  ease,
  fade,
  glowing,
  hollow,
  inset,
  kept,
  lerp,
  line,
  ordinal,
  outline,
  panel,
  shadowed,
  shake,
  stamped,
  stroke,
  wood,
} from "../paint.js";
import { vehicle } from "../vehicles.js";

const BRIGHT = "#3f7fdb #f2b632 #46a861 #9a63c9 #ef8a3a #35b1b8 #e77fae #8a6a4d #e9ecef #344a8f".split(" ");
const TOYS = "#dcae6a #6f9a5c #4f86a0 #e6cf9c #c9813e #8b6a96 #5a9a90 #c27f93 #8a8a78 #d6b23f".split(" ");
const FLAT = "#4a90e2 #ffb703 #2fb37a #8e6cef #fb8b24 #20b2c4 #f078a8 #7b8794 #a3c644 #3d5a98".split(" ");
const NEON = "#35c9ff #ffe14a #4dff9a #b78bff #ff9a3c #3dfff0 #ff7ad1 #8fa8ff #c8ff4a #e0e6ff".split(" ");

/** Looks of the game; the first is the default. */
export const themes = {
  classic: {
    material: "gloss",
    target: "#dd2b2b",
    vehicles: BRIGHT,
    backdrop: ["#b9cdb2", "#8fae92"],
    frame: "#d9d4c7",
    floor: "#505864",
    line: "#ffffff",
    lines: 0.2,
    exit: "#ffffff",
  },
  flat: {
    material: "flat",
    target: "#e5383b",
    vehicles: FLAT,
    backdrop: ["#f4f7fb", "#e6ecf4"],
    frame: "#c3cedd",
    floor: "#ffffff",
    line: "#9fb0c6",
    lines: 0.45,
    exit: "#e5383b",
  },
  night: {
    material: "neon",
    target: "#ff2f4e",
    vehicles: NEON,
    backdrop: ["#1a1f3c", "#0a0c1a"],
    frame: "#262d55",
    floor: "#0e1225",
    line: "#5a6ab8",
    lines: 0.3,
    exit: "#ff4d68",
  },
  wood: {
    material: "wood",
    target: "#b52a1f",
    vehicles: TOYS,
    backdrop: ["#efe0c6", "#d3b98f"],
    frame: "#8a5a30",
    floor: "#4a2f1b",
    line: "#000000",
    lines: 0.16,
    exit: "#f6e2b8",
  },
};

const OUTWARD = { right: [1, 0, 0], bottom: [0, 1, 1], left: [-1, 0, 2], top: [0, -1, 3] };

/**
 * The settled picture; a target that has reached the exit has driven out. A scene of `tween` may carry `shifts`, pixels
 * by vehicle id, and `out`, 0…1 of the way out.
 */
export function draw(ctx, scene, theme) {
  const { layout, view, hand, shifts = {} } = scene;
  const target = targetOf(view);
  const { out = cellsToExit(view, target) === 0 ? 1 : 0 } = scene;
  const { rows, cols, walls } = view;
  stamped(ctx, ["car park", layout, rows, cols, walls, theme], { x: 0, y: 0, w: SIDE, h: SIDE }, (stamp) => {
    backdrop(stamp, theme);
    drawFrame(stamp, layout, view, theme);
    drawFloor(stamp, layout, view, theme);
    drawExit(stamp, layout, theme);
    for (const wall of walls) drawWall(stamp, layout, wall, theme);
  });
  const held = hand?.vehicle;
  const order = [...view.vehicles].sort((a, b) => (a.id === held) - (b.id === held));
  for (const one of order) {
    const shift = shifts[one.id] ?? (one.id === held ? hand.shift : 0);
    drawVehicle(ctx, layout, view, one, { shift, lifted: one.id === held, out: one === target ? out : 0 }, theme);
  }
}

const targetOf = (view) => view.vehicles.find((one) => one.id === view.target);

/** Cells between the target and the exit side. */
function cellsToExit(view, { row, col, length }) {
  return { right: view.cols - col - length, bottom: view.rows - row - length, left: col, top: row }[view.exit];
}

const floorOf = ({ left, top, cell }, { rows, cols }) => ({ x: left, y: top, w: cols * cell, h: rows * cell });
const depthOf = ({ cell }) => Math.min(36, cell * 0.3);

function drawFrame(ctx, layout, view, theme) {
  const [floor, depth] = [floorOf(layout, view), depthOf(layout)];
  const box = { x: floor.x - depth, y: floor.y - depth, w: floor.w + 2 * depth, h: floor.h + 2 * depth };
  const radius = depth * 0.9;
  if (theme.material === "flat") panel(ctx, box, radius, theme.frame);
  else shadowed(ctx, { blur: 26, dy: 10 }, () => block(ctx, box, radius, theme.frame, 0.1));
  if (theme.material === "wood") wood(ctx, box, radius, theme.frame, { seed: 3 });
  if (theme.material === "neon") glowing(ctx, theme.line, 16, () => outline(ctx, box, radius, theme.line, 2));
}

function drawFloor(ctx, layout, view, theme) {
  const [floor, { left, top, cell }] = [floorOf(layout, view), layout];
  if (theme.material === "flat") panel(ctx, floor, 6, theme.floor);
  else hollow(ctx, floor, 6, theme.floor, 10);
  const colour = fade(theme.line, theme.lines);
  for (let x = left + cell; x < left + floor.w; x += cell) line(ctx, [x, top + 5], [x, top + floor.h - 5], colour, 2);
  for (let y = top + cell; y < top + floor.h; y += cell) line(ctx, [left + 5, y], [left + floor.w - 5, y], colour, 2);
}

/** The gap in the frame, a road out of the square, and chevrons that point out. */
function drawExit(ctx, layout, theme) {
  const { side, left, top, width, height } = layout.exit;
  const [dx, dy, quarter] = OUTWARD[side];
  const [depth, size] = [depthOf(layout), layout.cell * 0.15];
  kept(ctx, () => {
    ctx.translate(left + ((1 - dx) * width) / 2, top + ((1 - dy) * height) / 2); // the middle of the gap's inner edge
    ctx.rotate((quarter * Math.PI) / 2);
    ctx.fillStyle = theme.floor;
    ctx.fillRect(-2, -layout.cell / 2, SIDE, layout.cell);
    for (const place of [depth * 0.7, depth * 0.7 + size * 1.2]) {
      stroke(
        ctx,
        [
          [place, -size],
          [place + size * 0.9, 0],
          [place, size],
        ],
        theme.exit,
        layout.cell * 0.065,
      );
    }
  });
}

function drawWall(ctx, { left, top, cell }, [row, col], theme) {
  const box = inset({ x: left + col * cell, y: top + row * cell, w: cell, h: cell }, cell * 0.06);
  shadowed(ctx, { blur: 10, dy: 4 }, () => block(ctx, box, cell * 0.08, theme.frame, 0.12));
  const at = (u, v) => [left + (col + u) * cell, top + (row + v) * cell];
  const [low, high, dark] = [0.26, 0.74, fade("#000000", 0.28)];
  line(ctx, at(low, low), at(high, high), dark, cell * 0.08);
  line(ctx, at(high, low), at(low, high), dark, cell * 0.08);
}

function drawVehicle(ctx, { left, top, cell }, view, one, { shift, lifted, out }, theme) {
  const upright = one.axis === "vertical";
  const isTarget = one.id === view.target;
  const [dx, dy, quarter] = OUTWARD[view.exit];
  const half = one.length / 2;
  const centre = [
    left + (one.col + (upright ? 0.5 : half) + dx * out * one.length) * cell + (upright ? 0 : shift),
    top + (one.row + (upright ? half : 0.5) + dy * out * one.length) * cell + (upright ? shift : 0),
  ];
  const number = ordinal(one.id);
  const turn = isTarget ? quarter : (upright ? 1 : 0) + (number % 2 ? 2 : 0);
  const colour = isTarget ? theme.target : theme.vehicles[number % theme.vehicles.length];
  const kind = one.length > 2 ? "lorry" : "car";
  const look = { kind, colour, material: theme.material, lifted, mark: isTarget ? "stripes" : undefined };
  vehicle(ctx, centre, (turn * Math.PI) / 2, [one.length * cell - cell * 0.14, cell * 0.78], look);
}

/** How far the target is from the exit. */
export function status({ view }) {
  const cells = cellsToExit(view, targetOf(view));
  return cells ? { key: "away", count: cells } : { key: "out" };
}

/** A vehicle that was let go glides to its cell; when it is the target and has reached the exit, it drives out. */
export function tween(before, after, effect) {
  if (effect.kind === "refused") {
    const { vehicle: id } = effect.what;
    const shift = after.hand?.vehicle === id ? after.hand.shift : 0;
    return { ms: 240, at: (t) => ({ ...after, shifts: { [id]: shift + shake(t) * after.layout.cell * 0.05 } }) };
  }
  if (effect.kind !== "move") return null;
  const moved = after.view.vehicles.find((one) => {
    const was = before.view.vehicles.find((other) => other.id === one.id);
    return was && (was.row !== one.row || was.col !== one.col);
  });
  if (!moved) return null;
  const was = before.view.vehicles.find((other) => other.id === moved.id);
  const held = before.hand?.vehicle === moved.id ? before.hand.shift : 0;
  const from = (was.row + was.col - moved.row - moved.col) * after.layout.cell + held;
  const leaves = moved.id === after.view.target && cellsToExit(after.view, moved) === 0;
  const glide = (t) => ({ [moved.id]: lerp(from, 0, ease.out(t)) });
  if (!leaves) return { ms: 160, at: (t) => ({ ...after, shifts: glide(t), out: 0 }) };
  const [glided, ms] = [0.3, 400];
  const out = (t) => ease.in(Math.max(0, t - glided) / (1 - glided));
  return { ms, at: (t) => ({ ...after, shifts: glide(Math.min(1, t / glided)), out: out(t) }) };
}
