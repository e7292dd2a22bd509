/** Color Connect: the tray with its cells, and the stones on blocked ones. A board is a layout with `rows` and `cols`. */

import {
  block, darken, disc, fade, gradient, inset, lighten, mix, outline, panel, polygon, radial, shadowed, wood,
} from "../paint.js";

/** The box a cell's tile fills: {x, y, w, h}. */
export function cellBox({ left, top, cell }, [row, col]) {
  const gap = Math.max(0.75, cell * 0.035);
  return inset({ x: left + col * cell, y: top + row * cell, w: cell, h: cell }, gap);
}

/** The tray the cells are set into. */
export function drawTray(ctx, { rows, cols, left, top, cell }, theme) {
  const rim = Math.min(26, Math.max(8, cell * 0.2));
  const box = { x: left - rim, y: top - rim, w: cols * cell + 2 * rim, h: rows * cell + 2 * rim };
  if (theme.flat) return;
  shadowed(ctx, { blur: 26, dy: 12, colour: theme.shade }, () => {
    panel(ctx, { ...box, y: box.y + 8 }, rim, darken(theme.tray, 0.45));
  });
  if (theme.wood) wood(ctx, box, rim, theme.wood, { seed: 7 });
  else panel(ctx, box, rim, gradient(ctx, [0, box.y], [0, box.y + box.h], [lighten(theme.tray, 0.12), theme.tray]));
  outline(ctx, box, rim, fade(lighten(theme.tray, 0.6), 0.5), 2);
}

/** All free cells. */
export function drawTiles(ctx, board, theme) {
  const all = cellsOf(board);
  if (theme.wood) for (const cell of all) drawDent(ctx, board, cell, theme.tile);
  else if (theme.flat) fillTiles(ctx, board, all, theme.tile, 0);
  else {
    fillTiles(ctx, board, all, darken(theme.tile, 0.28), board.cell * 0.02);
    fillTiles(ctx, board, all, theme.tile, 0);
  }
  if (theme.flat) ruleTiles(ctx, board, all, theme);
}

function cellsOf({ rows, cols }) {
  return Array.from({ length: rows * cols }, (_, i) => [Math.floor(i / cols), i % cols]);
}

function fillTiles(ctx, board, cells, fill, drop) {
  trace(ctx, board, cells, drop);
  ctx.fillStyle = fill;
  ctx.fill();
}

function ruleTiles(ctx, board, cells, theme) {
  trace(ctx, board, cells, 0);
  ctx.strokeStyle = fade(theme.edge, 0.2);
  ctx.lineWidth = Math.max(1, board.cell * 0.015);
  ctx.stroke();
}

function trace(ctx, board, cells, drop) {
  ctx.beginPath();
  for (const cell of cells) {
    const { x, y, w, h } = cellBox(board, cell);
    ctx.roundRect(x, y + drop, w, h, board.cell * 0.12);
  }
}

/** A round dent in wood, dark at its upper edge. */
function drawDent(ctx, { left, top, cell }, [row, col], colour) {
  const [x, y] = [left + (col + 0.5) * cell, top + (row + 0.5) * cell];
  disc(ctx, [x, y + cell * 0.03], cell * 0.44, fade(lighten(colour, 0.55), 0.6));
  const stops = [lighten(colour, 0.06), [0.75, colour], [1, darken(colour, 0.4)]];
  disc(ctx, [x, y], cell * 0.44, radial(ctx, [x, y + cell * 0.08], cell * 0.1, cell * 0.52, stops));
}

/** The cells of a finished path take on its colour. */
export function tintCells(ctx, board, path, colour, share, theme) {
  if (path.length === 0) return;
  const tint = mix(theme.tile, colour, theme.tint * share);
  if (theme.wood) for (const cell of path) drawDent(ctx, board, cell, tint);
  else fillTiles(ctx, board, path, tint, 0);
}

/** A blocked cell: a stone that fills it. */
export function drawStone(ctx, box, [row, col], theme) {
  const radius = box.w * 0.16;
  if (theme.flat) {
    panel(ctx, box, radius, theme.stone);
    return;
  }
  shadowed(ctx, { blur: box.w * 0.12, dy: box.w * 0.05, colour: theme.shade }, () => block(ctx, box, radius, theme.stone, 0.2));
  if (box.w > 24) drawFacets(ctx, box, row * 7 + col * 3, theme.stone);
}

/** Two chipped facets, whose places differ from stone to stone. */
function drawFacets(ctx, { x, y, w }, seed, colour) {
  const at = (a, b) => [x + a * w, y + b * w];
  const shift = ((seed * 37) % 11) / 100;
  polygon(ctx, [at(0.12, 0.3 + shift), at(0.4 + shift, 0.12), at(0.58, 0.3), at(0.3, 0.52)], fade(lighten(colour, 0.35), 0.35));
  polygon(ctx, [at(0.88, 0.62 - shift), at(0.6 - shift, 0.86), at(0.42, 0.68), at(0.66, 0.48)], fade(darken(colour, 0.4), 0.3));
}
