/** Color Connect: ends and paths. A board is a layout with `rows` and `cols`. */

import {
  brightness, darken, disc, fade, inkOn, lighten, mix, radial, ring, shadowed, stamped,
} from "../paint.js";

/** Radius of an end, in cells. */
const END = 0.37;

/** The middle of a cell. */
export const centreOf = ({ left, top, cell }, [row, col]) => [left + (col + 0.5) * cell, top + (row + 0.5) * cell];

/** A, B … Z, AA, AB …: what the ends of the n-th pair are called where there are many. */
export function signOf(pair) {
  const letter = (i) => String.fromCharCode(65 + i);
  return pair < 26 ? letter(pair) : letter(Math.floor(pair / 26) - 1) + letter(pair % 26);
}

/** An edge that sets a colour off from the tiles, whichever it is. */
function edgeOf(colour, theme) {
  const near = Math.abs(brightness(colour) - brightness(theme.tile)) < 0.3;
  return near ? mix(colour, theme.edge, 0.65) : mix(colour, theme.edge, 0.3);
}

/** A path through the middles of its cells, with round corners and ends. */
export function drawPath(ctx, board, path, colour, theme) {
  const points = path.map((cell) => centreOf(board, cell));
  const width = board.cell * (theme.flat ? 0.42 : 0.34);
  const line = (style, share, lift = 0) => {
    ctx.beginPath();
    trace(ctx, points, board.cell * 0.32, lift);
    ctx.lineCap = ctx.lineJoin = "round";
    ctx.strokeStyle = style;
    ctx.lineWidth = width * share;
    ctx.stroke();
  };
  if (theme.flat) {
    line(colour, 1);
    return;
  }
  shadowed(ctx, haloOf(board.cell * 0.36, colour, theme), () => line(edgeOf(colour, theme), 1));
  line(colour, 0.84);
  line(fade(lighten(colour, 0.55), 0.55), 0.2, -width * 0.18);
}

/** What a piece of that size throws on the tiles: its shadow, or its light where pieces glow. */
function haloOf(size, colour, theme) {
  if (theme.glow) return { blur: size * 0.8, dy: 0, colour: fade(lighten(colour, 0.1), 0.9) };
  return { blur: size * 0.35, dy: size * 0.15, colour: theme.shade };
}

function trace(ctx, points, radius, lift) {
  const lifted = points.map(([x, y]) => [x, y + lift]);
  ctx.moveTo(...lifted[0]);
  for (let i = 1; i < lifted.length - 1; i++) ctx.arcTo(...lifted[i], ...lifted[i + 1], radius);
  ctx.lineTo(...lifted.at(-1));
}

/**
 * One end of a pair.
 * @param {{colour: string, joined: number, sign: string, held: boolean}} look `joined`: 0…1, how far it is marked as done
 */
export function drawEnd(ctx, board, cell, { colour, joined, sign, held }, theme) {
  const at = centreOf(board, cell);
  const radius = board.cell * (held ? END * 1.1 : END);
  const reach = Math.ceil(board.cell * 0.9); // a glow included
  const box = { x: at[0] - reach, y: at[1] - reach, w: 2 * reach, h: 2 * reach };
  stamped(ctx, ["end", theme, colour, radius], box, (own) => {
    if (theme.flat) drawFlatEnd(own, [reach, reach], radius, colour, theme);
    else drawGlossyEnd(own, [reach, reach], radius, colour, theme);
  });
  const ink = inkOn(colour);
  if (joined > 0) ring(ctx, at, radius * (sign ? 0.8 : 0.52), fade(ink, 0.85 * joined), radius * 0.12);
  if (sign) drawSign(ctx, at, radius, sign, ink);
}

function drawFlatEnd(ctx, at, radius, colour, theme) {
  disc(ctx, at, radius, colour);
  if (Math.abs(brightness(colour) - brightness(theme.tile)) < 0.3) {
    ring(ctx, at, radius * 0.96, edgeOf(colour, theme), radius * 0.09);
  }
}

function drawGlossyEnd(ctx, at, radius, colour, theme) {
  const [x, y] = at;
  shadowed(ctx, haloOf(radius, colour, theme), () => disc(ctx, at, radius, edgeOf(colour, theme)));
  const light = [x - radius * 0.25, y - radius * 0.35];
  const stops = [lighten(colour, 0.3), [0.5, colour], [1, darken(colour, 0.16)]];
  disc(ctx, at, radius * 0.92, radial(ctx, light, radius * 0.05, radius * 1.25, stops));
  ctx.beginPath();
  ctx.ellipse(x, y - radius * 0.5, radius * 0.56, radius * 0.3, 0, 0, 2 * Math.PI);
  ctx.fillStyle = fade("#ffffff", 0.26);
  ctx.fill();
}

function drawSign(ctx, [x, y], radius, sign, ink) {
  ctx.font = `700 ${radius * (sign.length > 1 ? 0.8 : 1.05)}px "LPB Sans", sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  ctx.fillStyle = ink;
  ctx.fillText(sign, x, y + radius * 0.37);
}

/** The tip of the unfinished path; a halo when it follows the pointer, a plain ring when it waits for a click. */
export function drawTip(ctx, board, { path, held }, colour, theme) {
  const at = centreOf(board, path.at(-1));
  const radius = board.cell * 0.24;
  disc(ctx, at, board.cell * 0.48, fade(colour, held ? 0.35 : 0.2));
  ring(ctx, at, board.cell * 0.47, fade(edgeOf(colour, theme), held ? 0.9 : 0.6), Math.max(1.5, board.cell * 0.035));
  if (path.length === 1) return;
  disc(ctx, at, radius, edgeOf(colour, theme));
  disc(ctx, at, radius * 0.84, colour);
  disc(ctx, at, radius * 0.4, inkOn(colour));
}
