/** Color Connect: a tray of cells, glossy ends, and thick round paths between them. */

import { SIDE, backdrop, bump, clamp, coloursOf, ease, fade, kept, lighten, outline, ring, shake, stamped } from "../paint.js";
import { centreOf, drawEnd, drawPath, drawTip, signOf } from "./color_connect_pieces.js";
import { cellBox, drawStone, drawTiles, drawTray, tintCells } from "./color_connect_tray.js";

export const themes = {
  classic: {
    backdrop: ["#eaf1fb", "#c3d1e6"],
    tray: "#7d90b2",
    tile: "#edf2fa",
    stone: "#8b93a3",
    edge: "#2b3852",
    tint: 0.3,
    refused: "#e0314b",
    shade: "rgba(30, 42, 74, 0.35)",
  },
  flat: {
    flat: true,
    backdrop: ["#fff8ea", "#fdebd0"],
    tray: "#fff8ea",
    tile: "#ffffff",
    stone: "#5b5468",
    edge: "#4a4458",
    tint: 0.22,
    refused: "#e0314b",
    shade: "rgba(0, 0, 0, 0)",
  },
  night: {
    glow: true,
    backdrop: ["#1b2040", "#090b18"],
    tray: "#2a3262",
    tile: "#12162c",
    stone: "#454d78",
    edge: "#cfd6ff",
    tint: 0.3,
    refused: "#ff5a73",
    shade: "rgba(0, 0, 0, 0.5)",
  },
  wood: {
    wood: "#bd8850",
    backdrop: ["#f0e2c8", "#cfb286"],
    tray: "#bd8850",
    tile: "#7e5029",
    stone: "#6f6a64",
    edge: "#2c1808",
    tint: 0.42,
    refused: "#ffdf6b",
    shade: "rgba(44, 24, 8, 0.45)",
  },
};

/** More pairs than this also carry letters: colours alone are hard to tell apart then. */
const COLOURS_ENOUGH = 10;

/**
 * The settled picture. A scene by `tween` may also hold `fresh` {pair, share}: the path just finished; `gone`
 * {pair, path, share}: the path just taken away; `refused` {cell, share}; each `share` runs from 0 to 1.
 */
export function draw(ctx, scene, theme) {
  const { layout, view, hand, fresh, gone, refused } = scene;
  const colours = coloursOf(view.pairs.map(({ color }) => color));
  const board = { ...layout, rows: view.rows, cols: view.cols };
  stamped(ctx, ["color_connect", theme, board, view.walls], { x: 0, y: 0, w: SIDE, h: SIDE }, (under) => {
    backdrop(under, theme);
    drawTray(under, board, theme);
    drawTiles(under, board, theme);
    for (const wall of view.walls) drawStone(under, cellBox(board, wall), wall, theme);
  });
  view.pairs.forEach(({ color, path }, pair) => {
    tintCells(ctx, board, path, colours[color], pair === fresh?.pair ? fresh.share : 1, theme);
  });
  if (gone) fadeAway(ctx, board, gone, colours[view.pairs[gone.pair].color], theme);
  for (const { color, path } of view.pairs) if (path.length > 0) drawPath(ctx, board, path, colours[color], theme);
  if (hand) drawPath(ctx, board, hand.path, colours[hand.color], theme);
  drawEnds(ctx, board, scene, colours, theme);
  if (hand) drawTip(ctx, board, hand, colours[hand.color], theme);
  if (refused) markRefused(ctx, board, refused, theme);
}

/** A finished path lights up, one taken away fades, a cell that cannot be entered flashes. */
export function tween(before, after, effect) {
  if (effect.kind === "refused") {
    const { cell } = effect.what;
    return { ms: 240, at: (t) => ({ ...after, refused: { cell, share: t } }) };
  }
  if (effect.kind !== "move") return null;
  const pair = after.view.pairs.findIndex(({ path }, i) => path.length !== before.view.pairs[i].path.length);
  if (pair < 0) return null;
  const { path } = before.view.pairs[pair];
  if (path.length > 0) return { ms: 160, at: (t) => ({ ...after, gone: { pair, path, share: t } }) };
  return { ms: 280, at: (t) => ({ ...after, fresh: { pair, share: t } }) };
}

/** Which goal the level has. */
export const goal = ({ view }) => (view.must_fill ? "goal_fill" : "goal");

/** How many pairs are joined and, where that counts, how many cells are filled. */
export function status({ view: { pairs, rows, cols, walls, must_fill: fill } }) {
  const joined = pairs.filter(({ path }) => path.length > 0).length;
  if (!fill) return { key: "joined", joined, pairs: pairs.length };
  const used = pairs.reduce((sum, { path }) => sum + path.length, 0);
  return { key: "joined_fill", joined, pairs: pairs.length, used, cells: rows * cols - walls.length };
}

function fadeAway(ctx, board, { path, share }, colour, theme) {
  kept(ctx, () => {
    ctx.globalAlpha = 1 - ease.out(share);
    drawPath(ctx, board, path, colour, theme);
  });
}

function drawEnds(ctx, board, { view, hand, fresh }, colours, theme) {
  const lettered = view.pairs.length > COLOURS_ENOUGH;
  view.pairs.forEach(({ color, ends, path }, pair) => {
    const share = pair === fresh?.pair ? fresh.share : 1;
    const look = { colour: colours[color], joined: path.length > 0 ? share : 0, sign: lettered ? signOf(pair) : "" };
    for (const end of ends) drawEnd(ctx, board, end, { ...look, held: hand?.color === color }, theme);
    if (pair === fresh?.pair) for (const end of ends) spread(ctx, board, end, look.colour, share);
  });
}

/** A ring that runs outwards from an end. */
function spread(ctx, board, end, colour, share) {
  const width = board.cell * 0.09 * (1 - share);
  ring(ctx, centreOf(board, end), board.cell * (0.36 + 0.3 * ease.out(share)), fade(lighten(colour, 0.2), 1 - share), width);
}

function markRefused(ctx, board, { cell: [row, col], share }, theme) {
  const inside = row >= 0 && col >= 0 && row < board.rows && col < board.cols;
  if (!inside) return;
  const box = cellBox(board, [row, col]);
  const shifted = { ...box, x: box.x + shake(share) * board.cell * 0.05 };
  outline(ctx, shifted, board.cell * 0.12, fade(theme.refused, clamp(bump(share) * 1.2)), Math.max(2, board.cell * 0.06));
}
