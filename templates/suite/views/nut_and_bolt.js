/** Nut and Bolt: bolts standing on shelves, nuts of many colours on them. */
import {
  SIDE,
  backdrop,
  clamp,
  coloursOf,
  darken,
  ease,
  fade,
  gradient,
  inset,
  lerp,
  panel,
  shake,
  stamped,
} from "../paint.js";
import { MATERIALS } from "./nut_and_bolt_pieces.js";

/** Looks of the game; the first is the default. */
export const themes = {
  classic: {
    material: "gloss",
    backdrop: ["#d3dfec", "#a9bdd3"],
    shelf: "#8397af",
    bench: 0.7,
    steel: "#9aa6b6",
    done: "#f2b632",
    select: "#ffffff",
  },
  flat: {
    material: "flat",
    backdrop: ["#fff8ee", "#ffecd2"],
    shelf: "#ecd2a8",
    bench: 0.25,
    steel: "#b9a88c",
    done: "#2f9e6b",
    select: "#2b62d9",
  },
  night: {
    material: "neon",
    backdrop: ["#1b1740", "#0a0818"],
    shelf: "#4a3fa8",
    bench: 0.3,
    steel: "#8794e6",
    done: "#ffd84a",
    select: "#ffffff",
  },
  wood: {
    material: "wood",
    backdrop: ["#f1e2c4", "#d6b988"],
    shelf: "#8d5f34",
    bench: 0.7,
    steel: "#b98a54",
    done: "#c0392b",
    select: "#fff6dd",
  },
};

/**
 * The settled picture. A scene of `tween` may carry `flying`: nuts on their way, {colour, x, y}; `away`: {bolt, count},
 * how many nuts have not arrived yet; `shaken`: {bolt, by}, in pixels.
 */
export function draw(ctx, { layout, view, hand, flying = [], away, shaken }, theme) {
  const material = MATERIALS[theme.material];
  const colours = coloursOf(view.bolts.flat());
  stamped(ctx, ["shelves", layout, theme], { x: 0, y: 0, w: SIDE, h: SIDE }, (stamp) => {
    backdrop(stamp, theme);
    const heights = [...new Set(layout.bolts.map(([, top]) => top + layout.height))];
    drawBench(stamp, Math.max(...heights), theme);
    for (const y of heights) material.shelf(stamp, y, layout, theme);
  });
  view.bolts.forEach((nuts, i) => {
    const [left, top] = layout.bolts[i];
    const place = [left + (shaken?.bolt === i ? shaken.by : 0), top];
    const there = away?.bolt === i ? nuts.slice(0, nuts.length - away.count) : nuts;
    const lifted = hand?.bolt === i ? hand.lifted : 0;
    drawBolt(ctx, { layout, material, theme, colours }, place, { nuts: there, lifted, capacity: view.capacity });
  });
  for (const { colour, x, y } of flying) drawNut(ctx, { layout, material, theme, colours }, [x, y], colour, false);
}

/** The front of the workbench, below the lowest shelf. */
function drawBench(ctx, y, { shelf, bench }) {
  const shades = [fade(darken(shelf, 0.35), bench), fade(shelf, bench * 0.6)];
  panel(ctx, { x: 0, y, w: SIDE, h: SIDE - y }, 0, gradient(ctx, [0, y], [0, y + 160], shades));
}

const AIR = 24; // around a piece, for its shadow or glow

function drawNut(ctx, { layout, material, theme, colours }, [x, y], name, lifted) {
  const [w, h, colour] = [layout.width, layout.nut, colours[name]];
  stamped(ctx, ["nut", theme, colour, lifted], inset({ x, y, w, h }, -AIR), (stamp) => {
    material.nut(stamp, { x: AIR, y: AIR, w, h }, colour, lifted ? theme.select : null);
  });
}

const isDone = (nuts, capacity) => nuts.length === capacity && nuts.every((nut) => nut === nuts[0]);

function drawBolt(ctx, pieces, [x, y], { nuts, lifted, capacity }) {
  const { layout, material, theme } = pieces;
  const { width: w, height: h, base } = layout;
  const done = isDone(nuts, capacity);
  const [around, box] = [inset({ x, y, w, h }, -AIR), { x: AIR, y: AIR, w, h }];
  stamped(ctx, ["bolt", base, theme, done], around, (stamp) => material.bolt(stamp, box, base, done, theme));
  nuts.forEach((nut, i) => {
    const raised = i >= nuts.length - lifted;
    drawNut(ctx, pieces, [x, slotTop(layout, y, i) - (raised ? layout.lift : 0)], nut, raised);
  });
  if (done) stamped(ctx, ["tip", theme], around, (stamp) => material.tip(stamp, box, theme));
}

/** Where the nut of a slot (0 at the bottom) has its upper edge. */
const slotTop = ({ height, base, nut }, top, slot) => top + height - base - (slot + 1) * nut;

/** How many bolts are finished, or how many nuts are lifted. */
export function status({ view, hand }) {
  if (hand) return { key: "lifted", count: hand.lifted };
  const nuts = view.bolts.reduce((sum, bolt) => sum + bolt.length, 0);
  return {
    key: "ready",
    done: view.bolts.filter((bolt) => isDone(bolt, view.capacity)).length,
    of: nuts / view.capacity,
  };
}

/** Nuts fly in an arc from bolt to bolt, forwards or back; a bolt that takes none shakes. */
export function tween(before, after, effect) {
  if (effect.kind === "refused") {
    const by = (t) => shake(t) * after.layout.width * 0.09;
    return { ms: 260, at: (t) => ({ ...after, shaken: { bolt: effect.what.bolt, by: by(t) } }) };
  }
  const changes = after.view.bolts.map((nuts, i) => nuts.length - before.view.bolts[i].length);
  const [from, to] = [changes.findIndex((change) => change < 0), changes.findIndex((change) => change > 0)];
  if (effect.kind === "restart" || from < 0 || to < 0) return null;
  const count = changes[to];
  const flights = Array.from({ length: count }, (_, i) => flight(before, after, { from, to, i, count }));
  const ms = Math.min(400, 280 + 40 * (count - 1));
  return { ms, at: (t) => ({ ...after, away: { bolt: to, count }, flying: flights.map((at) => at(t)) }) };
}

/** The way of the i-th nut, counted from the top of the bolt it leaves; later ones start a little later. */
function flight(before, after, { from, to, i, count }) {
  const { layout } = after;
  const [[x0, top0], [x1, top1]] = [layout.bolts[from], layout.bolts[to]];
  const raised = before.hand?.bolt === from ? layout.lift : 0;
  const y0 = slotTop(layout, top0, before.view.bolts[from].length - 1 - i) - raised;
  const y1 = slotTop(layout, top1, after.view.bolts[to].length - count + i);
  const peak = Math.min(top0, top1) - layout.nut;
  const delay = count > 1 ? (0.3 * i) / (count - 1) : 0;
  return (t) => {
    const u = ease.inOut(clamp((t - delay) / 0.7));
    const bend = (a, b, c, d) => lerp(lerp(lerp(a, b, u), lerp(b, c, u), u), lerp(lerp(b, c, u), lerp(c, d, u), u), u);
    return { colour: after.view.bolts[to].at(-1), x: bend(x0, x0, x1, x1), y: bend(y0, peak, peak, y1) };
  };
}
