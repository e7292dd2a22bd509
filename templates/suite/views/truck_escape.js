/** Truck Escape: a yard that lorries leave by the way they face. */
import {
  SIDE,
  backdrop,
  block,
  bump,
  darken,
  disc,
  ease,
  fade,
  glowing,
  hollow,
  inset,
  line,
  ordinal,
  outline,
  panel,
  radial,
  ring,
  shadowed,
  stamped,
  wood,
} from "../paint.js";
import { vehicle } from "../vehicles.js";

/** Looks of the game; the first is the default. */
export const themes = {
  classic: {
    material: "gloss",
    backdrop: ["#a9c987", "#7fa763"],
    yard: "#8d939c",
    line: "#ffffff",
    lines: 0.22,
    kerb: "#e8e2d2",
    obstacle: "#f47a20",
    vehicles: "#e0483e #3a7bd5 #f4b731 #3fa45b #8e5bc0 #ee8434 #2ca6b0 #df6fa3 #5c6b7f #a87142".split(" "),
  },
  flat: {
    material: "flat",
    backdrop: ["#fff6e5", "#fdeccb"],
    yard: "#ffffff",
    line: "#d9c9a8",
    lines: 0.6,
    kerb: "#f0d9a8",
    obstacle: "#5d6774",
    vehicles: "#ef476f #118ab2 #ffd166 #06a77d #8367c7 #f78c3b #26c6da #ec77b4 #577590 #9cba3d".split(" "),
  },
  night: {
    material: "neon",
    backdrop: ["#23173f", "#0b0716"],
    yard: "#120d24",
    line: "#6a4fb0",
    lines: 0.35,
    kerb: "#8a63ff",
    obstacle: "#ffb02e",
    vehicles: "#ff4f64 #3fb8ff #ffe14a #4dff9a #b78bff #ff9a3c #3dfff0 #ff7ad1 #9db2ff #c8ff4a".split(" "),
  },
  wood: {
    material: "wood",
    backdrop: ["#f2e4cb", "#d9bf93"],
    yard: "#b98d58",
    line: "#5a3a1c",
    lines: 0.18,
    kerb: "#7c5128",
    obstacle: "#6b4a2b",
    vehicles: "#c0563f #4f7a8c #d8ab4e #6f8f4e #86648c #c97b3a #5a9088 #b9708a #6a6a62 #e3c79a".split(" "),
  },
};

const HEADINGS = { right: [1, 0, 0], down: [0, 1, 1], left: [-1, 0, 2], up: [0, -1, 3] };

/** The settled picture. A scene of `tween` may carry `driven`: {vehicle, by}, cells it has driven ahead. */
export function draw(ctx, { layout, view, driven }, theme) {
  const { rows, cols, obstacles } = view;
  stamped(ctx, ["yard", layout, rows, cols, obstacles, theme], { x: 0, y: 0, w: SIDE, h: SIDE }, (stamp) => {
    backdrop(stamp, theme);
    drawYard(stamp, layout, view, theme);
    for (const cell of obstacles) OBSTACLES[theme.material](stamp, boxOf(layout, cell), theme.obstacle);
  });
  for (const one of view.vehicles) if (one.id !== driven?.vehicle.id) drawTruck(ctx, layout, one, 0, theme);
  if (driven) drawTruck(ctx, layout, driven.vehicle, driven.by, theme);
}

/** How many trucks are left. */
export function status({ view }) {
  return { key: "left", count: view.vehicles.length };
}

const boxOf = ({ left, top, cell }, [row, col]) => ({ x: left + col * cell, y: top + row * cell, w: cell, h: cell });

function drawYard(ctx, { left, top, cell }, { rows, cols }, theme) {
  const yard = { x: left, y: top, w: cols * cell, h: rows * cell };
  const kerb = inset(yard, -Math.min(12, cell * 0.2));
  if (theme.material === "neon") glowing(ctx, theme.kerb, 18, () => outline(ctx, kerb, 14, theme.kerb, 2));
  else panel(ctx, kerb, 14, theme.kerb);
  if (theme.material === "wood") wood(ctx, yard, 8, theme.yard, { seed: 9 });
  else if (theme.material === "gloss") hollow(ctx, yard, 8, theme.yard, 5);
  else panel(ctx, yard, 8, theme.yard);
  const colour = fade(theme.line, theme.lines);
  for (let x = left + cell; x < left + yard.w; x += cell) line(ctx, [x, top + 4], [x, top + yard.h - 4], colour, 2);
  for (let y = top + cell; y < top + yard.h; y += cell) line(ctx, [left + 4, y], [left + yard.w - 4, y], colour, 2);
}

/** Cones, posts, barriers and crates: what stands in the way. */
const OBSTACLES = {
  gloss(ctx, { x, y, w }, colour) {
    const [base, middle] = [inset({ x, y, w, h: w }, w * 0.16), [x + w / 2, y + w / 2]];
    shadowed(ctx, { blur: w * 0.14, dy: w * 0.05 }, () => block(ctx, base, w * 0.12, darken(colour, 0.12), 0.12));
    const sides = [0.29, 0.23, 0.17, 0.11];
    sides.forEach((share, i) => {
      const tone = i % 2 ? "#fff8ee" : colour;
      const at = [middle[0], middle[1] - w * 0.025 * i]; // each ring is nearer to the eye than the one below it
      disc(ctx, at, w * share, radial(ctx, [at[0] - w * 0.08, at[1] - w * 0.1], 0, w * 0.4, [tone, darken(tone, 0.3)]));
    });
    disc(ctx, [middle[0], middle[1] - w * 0.085], w * 0.045, darken(colour, 0.55));
  },
  flat(ctx, { x, y, w }, colour) {
    const box = inset({ x, y, w, h: w }, w * 0.12);
    panel(ctx, box, w * 0.16, colour);
    ring(ctx, [x + w / 2, y + w / 2], w * 0.2, "#ffffff", w * 0.08);
    line(ctx, [x + w * 0.37, y + w * 0.63], [x + w * 0.63, y + w * 0.37], "#ffffff", w * 0.08);
  },
  neon(ctx, { x, y, w }, colour) {
    const box = inset({ x, y, w, h: w }, w * 0.16);
    panel(ctx, box, w * 0.1, fade(colour, 0.16));
    glowing(ctx, colour, w * 0.2, () => outline(ctx, box, w * 0.1, colour, Math.max(2, w * 0.035)));
    for (const slide of [0, 0.2])
      line(ctx, [x + w * (0.32 + slide), y + w * 0.68], [x + w * (0.48 + slide), y + w * 0.32], colour, w * 0.05);
  },
  wood(ctx, { x, y, w }, colour) {
    const box = inset({ x, y, w, h: w }, w * 0.1);
    shadowed(ctx, { blur: w * 0.14, dy: w * 0.05 }, () => panel(ctx, box, w * 0.06, darken(colour, 0.3)));
    wood(ctx, inset(box, w * 0.03), w * 0.05, colour, { seed: 4 });
    const [a, b] = [0.22, 0.78];
    line(ctx, [x + w * a, y + w * a], [x + w * b, y + w * b], darken(colour, 0.4), w * 0.1);
    outline(ctx, inset(box, w * 0.03), w * 0.05, darken(colour, 0.4), w * 0.08);
  },
};

function drawTruck(ctx, { left, top, cell }, one, by, theme) {
  const [dx, dy, quarter] = HEADINGS[one.heading];
  const [wide, high] = dx ? [one.length, 1] : [1, one.length];
  const centre = [left + (one.col + wide / 2 + dx * by) * cell, top + (one.row + high / 2 + dy * by) * cell];
  const colour = theme.vehicles[ordinal(one.id) % theme.vehicles.length];
  const look = { kind: "lorry", colour, material: theme.material, mark: "arrow" };
  vehicle(ctx, centre, (quarter * Math.PI) / 2, [(one.length - 0.14) * cell, cell * 0.76], look);
}

/** A truck drives off; or it drives up to what is in its way, bumps and comes back. */
export function tween(before, after, effect) {
  if (effect.kind === "refused") {
    const { vehicle: id, free } = effect.what;
    const one = after.view.vehicles.find((other) => other.id === id);
    if (!one) return null;
    const by = (t) => (free + 0.1) * bump(t);
    return { ms: 240 + Math.min(160, free * 40), at: (t) => ({ ...after, driven: { vehicle: one, by: by(t) } }) };
  }
  if (effect.kind !== "move") return null;
  const gone = before.view.vehicles.find((one) => !after.view.vehicles.some((other) => other.id === one.id));
  if (!gone) return null;
  const way = wayOut(after.layout, gone);
  return { ms: 400, at: (t) => ({ ...after, driven: { vehicle: gone, by: way * ease.leave(t) } }) };
}

/** Cells from where a truck stands until it has left the square. */
function wayOut({ left, top, cell }, { row, col, length, heading }) {
  const [x, y] = [left / cell + col, top / cell + row];
  const side = SIDE / cell;
  return { right: side - x, down: side - y, left: x + length, up: y + length }[heading];
}
