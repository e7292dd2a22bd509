/** Bolt Unscrew: a panel with holes, boards in layers on it, and the screws that hold them. Lengths are panel units. */

import { SIDE, backdrop, bump, clamp, ease, fade, kept, lerp, ring, shake, stamped } from "../paint.js";
import { drawBoard, moved } from "./bolt_unscrew_boards.js";
import { clipToPanel, drawFrame, drawHole, drawPanel } from "./bolt_unscrew_panel.js";
import { drawScrew, turnAt } from "./bolt_unscrew_screws.js";

export const themes = {
  classic: {
    material: "gloss",
    backdrop: ["#d9ecf5", "#9cc3da"],
    panel: "#d3dce8",
    frame: "#56709a",
    hole: "#39455c",
    tints: ["#ef5350", "#2f8fe0", "#f6b021", "#3fb061", "#9a5fd0", "#f2793a", "#1fb3b0", "#e667a8"],
    screw: "#c3cad6",
    accent: "#fffbe6",
    outline: "#3a2a10",
    refused: "#e0223c",
    shade: "rgba(24, 34, 60, 0.42)",
  },
  flat: {
    material: "flat",
    backdrop: ["#fff6e6", "#fbe8c9"],
    panel: "#ffffff",
    frame: "#ffffff",
    hole: "#cfd4dd",
    tints: ["#ff8a80", "#82b1ff", "#ffd54f", "#81c784", "#b39ddb", "#ffab70", "#6fd3cf", "#f4a3c8"],
    screw: "#4a5160",
    accent: "#ffffff",
    outline: "#303541",
    refused: "#d50032",
    shade: "rgba(0, 0, 0, 0)",
  },
  night: {
    material: "neon",
    backdrop: ["#1a1f3c", "#090b18"],
    panel: "#141833",
    frame: "#2b3568",
    hole: "#05060f",
    tints: ["#ff5470", "#4d9bff", "#ffd24a", "#3fe08a", "#b57bff", "#ff914d", "#35e3e0", "#ff77d0"],
    screw: "#aeb8da",
    accent: "#fff27a",
    outline: "#15182c",
    refused: "#ff4d68",
    shade: "rgba(0, 0, 0, 0.6)",
  },
  wood: {
    material: "wood",
    backdrop: ["#dfe6d2", "#a9b894"],
    panel: "#ecd9b4",
    frame: "#6b4225",
    hole: "#4a2e18",
    tints: ["#a8452c", "#c98d4e", "#65432c", "#7f8a45", "#d9a441", "#4f7180", "#8d5a7a", "#b5683a"],
    screw: "#d9b45a",
    accent: "#fff6da",
    outline: "#2c1808",
    refused: "#c2182e",
    shade: "rgba(44, 24, 8, 0.5)",
  },
};

/** How long a screw flies, milliseconds. */
const FLIGHT = 260;
const SQUARE = { x: 0, y: 0, w: SIDE, h: SIDE };

/**
 * The settled picture. A scene by `tween` may also hold `flight` {from, to, share}, the screw in the air; `refused`
 * {hole, share}; and boards with `more`: parts beside their `parts`.
 */
export function draw(ctx, scene, theme) {
  const { layout, view, hand, flight, refused } = scene;
  const { left, top, scale } = layout;
  const layer = (name, paint) => stamped(ctx, ["bolt_unscrew", name, theme, layout], SQUARE, paint);
  const inPanel = (target, paint) => kept(target, () => {
    target.translate(left, top);
    target.scale(scale, scale);
    paint();
  });
  layer("panel", (under) => {
    backdrop(under, theme);
    inPanel(under, () => drawPanel(under, view, theme));
  });
  inPanel(ctx, () => {
    clipToPanel(ctx, view);
    for (const hole of view.holes) drawHole(ctx, hole, view.hole_radius, theme);
    for (const board of view.boards) drawBoard(ctx, board, view.hole_radius, theme);
  });
  layer("frame", (over) => inPanel(over, () => drawFrame(over, view, theme)));
  inPanel(ctx, () => {
    drawScrews(ctx, view, hand, refused, theme);
    if (flight) drawFlight(ctx, flight, view.hole_radius, theme);
    if (refused) markRefused(ctx, view, refused, theme);
  });
}

function drawScrews(ctx, { screws, hole_radius: radius }, hand, refused, theme) {
  const chosen = hand ? hand.screw : -1;
  screws.forEach((at, i) => {
    if (i !== chosen) drawScrew(ctx, at, radius, { turn: turnAt(at), lift: 0 }, theme);
  });
  if (chosen < 0) return;
  const at = screws[chosen];
  const turn = turnAt(at) + (refused ? 0.25 * shake(refused.share) : 0);
  drawHole(ctx, at, radius, theme);
  ring(ctx, at, radius * 1.5, theme.accent, radius * 0.24);
  ring(ctx, at, radius * 1.65, theme.outline, radius * 0.08);
  ring(ctx, at, radius * 1.35, theme.outline, radius * 0.08);
  drawScrew(ctx, at, radius, { turn, lift: 1 }, theme);
}

function drawFlight(ctx, { from, to, share }, radius, theme) {
  const way = ease.inOut(share);
  const at = [lerp(from[0], to[0], way), lerp(from[1], to[1], way)];
  const turn = lerp(turnAt(from), turnAt(to) + Math.PI, way);
  drawScrew(ctx, at, radius, { turn, lift: (1 - ease.in(share)) * (1 + 0.6 * bump(share)) }, theme);
}

function markRefused(ctx, { holes, hole_radius: radius }, { hole, share }, theme) {
  const colour = fade(theme.refused, bump(share));
  ring(ctx, holes[hole], radius * (1.15 + 0.15 * share), colour, radius * 0.25);
}

/** The screw flies from hole to hole, then the boards it held swing and fall as the server has worked it out. */
export function tween(before, after, effect) {
  if (effect.kind === "refused") {
    return { ms: 260, at: (t) => ({ ...after, refused: { hole: effect.what.hole, share: t } }) };
  }
  if (effect.kind !== "move") return null;
  const from = before.view.screws.find((screw) => !includes(after.view.screws, screw));
  const to = after.view.screws.find((screw) => !includes(before.view.screws, screw));
  if (!from || !to) return null;
  const { motion } = effect;
  const ms = FLIGHT + (motion?.ms ?? 0);
  const at = (t) => {
    const now = t * ms - FLIGHT;
    if (now >= 0) return { ...after, hand: null, view: { ...after.view, boards: boardsAt(before, after, motion, now) } };
    const screws = before.view.screws.filter((screw) => screw !== from);
    const share = clamp(t * ms / FLIGHT);
    return { ...before, hand: null, view: { ...before.view, screws }, flight: { from, to, share } };
  };
  return { ms, at };
}

/** What is selected, or how many boards are in sight. */
export function status({ view, hand }) {
  if (hand) return { key: "selected" };
  const count = view.boards.length;
  return count > 0 ? { key: "left", count } : { key: "done" };
}

const includes = (points, [x, y]) => points.some((point) => point[0] === x && point[1] === y);

/** The boards `now` milliseconds into a motion, the lowest first. */
function boardsAt(before, after, motion, now) {
  const byId = (list) => new Map(list.map((one) => [one.id, one]));
  const [old, later, planks] = [before.view.boards, after.view.boards, motion.planks].map(byId);
  return motion.order.flatMap((id) => {
    const plank = planks.get(id);
    if (plank) return plank.exits && now >= plank.ms ? [] : [moved(plank, frameAt(plank, now))];
    if (!old.has(id) || !later.has(id)) return [old.get(id) ?? later.get(id)];
    return [{ ...later.get(id), more: old.get(id).parts }];
  });
}

/** Where a plank is: `[dx, dy, turn]`, linear between its frames, the last one after its time. */
function frameAt({ frames, ms }, now) {
  const place = clamp(ms > 0 ? now / ms : 1) * (frames.length - 1);
  const index = Math.min(Math.floor(place), frames.length - 1);
  const [a, b] = [frames[index], frames[Math.min(index + 1, frames.length - 1)]];
  return a.map((value, i) => lerp(value, b[i], place - index));
}
