/**
 * What the views share: shapes, shadows, materials and the course of animations. Lengths are pixels of the board's
 * square.
 */
import { darken, fade, lighten, mix } from "./colour.js";

export * from "./colour.js";

/** Side of the square in which a board is drawn. */
export const SIDE = 900;

export const clamp = (value, low = 0, high = 1) => Math.max(low, Math.min(high, value));
export const lerp = (a, b, t) => a + (b - a) * t;

/** Courses of a motion, from 0 at t = 0 to 1 at t = 1. */
export const ease = {
  out: (t) => 1 - (1 - t) ** 3,
  in: (t) => t * t * t,
  leave: (t) => t ** 1.7,
  inOut: (t) => (t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2),
};

/** There and back: 0 at both ends, 1 in the middle; how far something goes that bumps. */
export const bump = (t) => Math.sin(Math.PI * clamp(t));

/** A dying to and fro, for something that shakes; within -1…1, 0 at both ends. */
export const shake = (t) => Math.sin(t * Math.PI * 5) * (1 - clamp(t));

/** Draw with the state of the context kept: `paint` may translate, rotate and clip as it likes. */
export function kept(ctx, paint) {
  ctx.save();
  paint();
  ctx.restore();
}

/** A linear gradient between two points; `stops` are colours, evenly spread, or [place, colour] pairs. */
export function gradient(ctx, [x0, y0], [x1, y1], stops) {
  return filled(ctx.createLinearGradient(x0, y0, x1, y1), stops);
}

/** A radial gradient around a point, from `inner` to `outer` pixels away. */
export function radial(ctx, [x, y], inner, outer, stops) {
  return filled(ctx.createRadialGradient(x, y, inner, x, y, outer), stops);
}

function filled(made, stops) {
  stops.forEach((stop, i) => {
    const [place, colour] = Array.isArray(stop) ? stop : [stops.length > 1 ? i / (stops.length - 1) : 0, stop];
    made.addColorStop(place, colour);
  });
  return made;
}

/** Fill a rectangle with round corners: box is {x, y, w, h}, radius one number or four. */
export function panel(ctx, { x, y, w, h }, radius, fill) {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, radius);
  ctx.fillStyle = fill;
  ctx.fill();
}

/** Outline a rectangle with round corners, the line lying inside the box. */
export function outline(ctx, { x, y, w, h }, radius, colour, width) {
  ctx.beginPath();
  ctx.roundRect(x + width / 2, y + width / 2, w - width, h - width, Math.max(0, radius - width / 2));
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

/** Fill a disc. */
export function disc(ctx, [x, y], radius, fill) {
  ctx.beginPath();
  ctx.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
}

/** Draw a circle's line. */
export function ring(ctx, [x, y], radius, colour, width) {
  ctx.beginPath();
  ctx.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

/** Fill a polygon of [x, y] points. */
export function polygon(ctx, points, fill) {
  ctx.beginPath();
  points.forEach(([x, y]) => ctx.lineTo(x, y));
  ctx.closePath();
  ctx.fillStyle = fill;
  ctx.fill();
}

/** A line through [x, y] points with round ends and joints. */
export function stroke(ctx, points, colour, width) {
  ctx.beginPath();
  points.forEach(([x, y]) => ctx.lineTo(x, y));
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.lineCap = ctx.lineJoin = "round";
  ctx.stroke();
}

/** A straight line between two points, with round ends. */
export const line = (ctx, from, to, colour, width) => stroke(ctx, [from, to], colour, width);

/** A box smaller by `by` on every side. */
export const inset = ({ x, y, w, h }, by) => ({ x: x + by, y: y + by, w: w - 2 * by, h: h - 2 * by });

/**
 * Whatever `paint` draws throws a soft shadow.
 * @param {{blur?: number, dx?: number, dy?: number, colour?: string}} how lengths in pixels of the square
 */
export function shadowed(ctx, { blur = 10, dx = 0, dy = 4, colour = "rgba(20,20,40,0.35)" }, paint) {
  const { a, b } = ctx.getTransform(); // shadows ignore the transformation, so its scale is applied by hand
  const scale = Math.hypot(a, b);
  ctx.save();
  ctx.shadowBlur = blur * scale;
  ctx.shadowOffsetX = dx * scale;
  ctx.shadowOffsetY = dy * scale;
  ctx.shadowColor = colour;
  paint();
  ctx.restore();
}

/** A halo of light around what `paint` draws, as neon has. */
export const glowing = (ctx, colour, blur, paint) => shadowed(ctx, { blur, dx: 0, dy: 0, colour }, paint);

const stamps = new Map();
const MOST_PIXELS = 24e6; // of all stamps together
let pixels = 0;

/**
 * Draw a picture that is painted once and then remembered: shadows, grain and glow are costly. It must depend on the
 * key alone. The context must not be rotated; the picture is placed on whole pixels of the screen.
 * @param {Array} key whatever the picture depends on, beside the size of the box
 * @param {{x: number, y: number, w: number, h: number}} box where it goes
 * @param {(ctx: CanvasRenderingContext2D) => void} paint paints it, the box's corner being the origin
 */
export function stamped(ctx, key, { x, y, w, h }, paint) {
  const { a: scale, e, f } = ctx.getTransform();
  const name = JSON.stringify([key, w, h, scale]);
  if (!stamps.has(name)) stamps.set(name, stampOf(Math.ceil(w * scale), Math.ceil(h * scale), scale, paint));
  kept(ctx, () => {
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.drawImage(stamps.get(name), Math.round(x * scale + e), Math.round(y * scale + f));
  });
}

function stampOf(width, height, scale, paint) {
  if (pixels > MOST_PIXELS) {
    stamps.clear();
    pixels = 0;
  }
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  pixels += width * height;
  const ctx = canvas.getContext("2d");
  ctx.scale(scale, scale);
  paint(ctx);
  return canvas;
}

/** The whole square, lighter in the middle: `theme.backdrop` is [middle, edge]. */
export function backdrop(ctx, { backdrop: [middle, edge] }) {
  ctx.fillStyle = radial(ctx, [SIDE / 2, SIDE * 0.42], SIDE * 0.1, SIDE * 0.75, [middle, edge]);
  ctx.fillRect(0, 0, SIDE, SIDE);
}

/** A block that bulges: lit from above, darker below, with a thin bright edge. */
export function block(ctx, box, radius, colour, depth = 0.16) {
  const { x, y, h } = box;
  panel(ctx, box, radius, darken(colour, depth * 1.6));
  const face = { ...inset(box, 1), h: h - 2 - Math.min(h * 0.05, 7) };
  panel(ctx, face, radius, gradient(ctx, [x, y], [x, y + h], [lighten(colour, depth), colour, darken(colour, depth)]));
  outline(ctx, inset(face, 1), Math.max(0, radius - 2), fade(lighten(colour, 0.6), 0.35), 1.5);
}

/** A hollow that lies deeper than its surroundings: shadow at its upper edge, light at its lower one. */
export function hollow(ctx, box, radius, colour, depth = 8) {
  const { x, y, w, h } = box;
  kept(ctx, () => {
    ctx.beginPath();
    ctx.roundRect(x, y, w, h, radius);
    ctx.clip();
    ctx.fillStyle = colour;
    ctx.fillRect(x, y, w, h);
    shadowed(ctx, { blur: depth * 1.6, dy: depth * 0.5, colour: fade(darken(colour, 0.75), 0.6) }, () => {
      ctx.beginPath(); // a frame around the box, whose shadow falls inwards
      ctx.rect(x - 60, y - 60, w + 120, h + 120);
      ctx.roundRect(x, y, w, h, radius);
      ctx.fillStyle = colour;
      ctx.fill("evenodd");
    });
  });
}

/** Boards of wood with a fixed grain; `seed` chooses one of many grains. */
export function wood(ctx, box, radius, colour, { seed = 1, upright = false } = {}) {
  const { x, y, w, h } = box;
  const [length, breadth] = upright ? [h, w] : [w, h];
  const at = (along, across) => (upright ? [x + across, y + along] : [x + along, y + across]);
  kept(ctx, () => {
    ctx.beginPath();
    ctx.roundRect(x, y, w, h, radius);
    ctx.clip();
    ctx.fillStyle = gradient(ctx, at(0, 0), at(0, breadth), [lighten(colour, 0.08), colour, darken(colour, 0.08)]);
    ctx.fillRect(x, y, w, h);
    const lines = Math.max(4, Math.round(breadth / 9));
    for (let i = 0; i < lines; i++) grainLine(ctx, at, length, (breadth * (i + 0.5)) / lines, seed * 31 + i, colour);
  });
}

function grainLine(ctx, at, length, across, seed, colour) {
  const wave = (k) => Math.sin(seed * 12.9898 + k * 2.3) * 2.6 + Math.sin(seed * 4.1 + k * 0.7) * 1.8;
  const steps = Math.max(3, Math.ceil(length / 60));
  const points = Array.from({ length: steps + 1 }, (_, k) => at((length * k) / steps, across + wave(k)));
  const strength = 0.1 + 0.1 * Math.abs(Math.sin(seed * 7.7));
  ctx.beginPath();
  ctx.moveTo(...points[0]);
  for (let k = 1; k < points.length - 1; k++) {
    const [next, after] = [points[k], points[k + 1]];
    ctx.quadraticCurveTo(...next, (next[0] + after[0]) / 2, (next[1] + after[1]) / 2);
  }
  ctx.lineTo(...points.at(-1));
  ctx.strokeStyle = fade(mix(colour, "#2a1608", 0.7), strength);
  ctx.lineWidth = 1 + Math.abs(Math.sin(seed * 3.3)) * 1.6;
  ctx.lineCap = "butt";
  ctx.stroke();
}
