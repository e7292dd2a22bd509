/** Bolt Unscrew: boards of plastic, glass or wood. Lengths are panel units, angles radians clockwise. */

import { darken, fade, gradient, kept, lighten, mix, ring, shadowed, stamped } from "../paint.js";

/** How thick a board looks. */
const THICKNESS = 7;
/** Width of the lit edge: half of it lies inside the board. */
const EDGE = 3;
/** How far side and shadow reach beyond a board. */
const BESIDE = 28;

/** A board turned about its `about` and moved: `frame` is [dx, dy, turn]. */
export function moved(board, [dx, dy, turn]) {
  const [cx, cy] = board.about;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const place = ([x, y]) => [
    cx + dx + cos * (x - cx) - sin * (y - cy),
    cy + dy + sin * (x - cx) + cos * (y - cy),
  ];
  const parts = board.parts.map((rings) => rings.map((points) => points.map(place)));
  return { ...board, parts, holes: board.holes.map(place), grain: board.grain + turn, moving: true };
}

/** One board, over all that was drawn before it. */
export function drawBoard(ctx, board, radius, theme) {
  if (board.moving) {
    paintBoard(ctx, board, radius, theme);
    return;
  }
  const box = boxAround(ctx, [...board.parts, ...(board.more ?? [])].flat(2));
  stamped(ctx, ["board", theme, board, radius], box, (own) => {
    own.translate(-box.x, -box.y);
    paintBoard(own, board, radius, theme);
  });
}

/** A box around points and what is drawn beside them; its corner lies on a whole pixel of the screen. */
function boxAround(ctx, points) {
  const { a: scale, e, f } = ctx.getTransform();
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  const snapped = (value, origin) => (Math.floor((value - BESIDE) * scale + origin) - origin) / scale;
  const [x, y] = [snapped(Math.min(...xs), e), snapped(Math.min(...ys), f)];
  return { x, y, w: Math.max(...xs) + BESIDE - x, h: Math.max(...ys) + BESIDE - y };
}

function paintBoard(ctx, board, radius, theme) {
  const colour = theme.tints[board.tint];
  const shapes = [board.parts, board.more ?? []].map((parts) => ({ parts, path: pathOf(parts) }));
  const span = spanOf(board);
  if (theme.material !== "flat") for (const { path } of shapes) drawSides(ctx, path, colour, theme);
  for (const { path } of shapes) drawFace(ctx, path, board, span, theme);
  shapes.forEach((shape, i) => drawEdges(ctx, shape, shapes[1 - i], colour, theme));
  if (theme.material !== "flat") for (const { path } of shapes) drawRims(ctx, path, board.holes, radius, colour);
}

function pathOf(parts) {
  const path = new Path2D();
  for (const rings of parts) {
    for (const points of rings) {
      points.forEach(([x, y], i) => (i ? path.lineTo(x, y) : path.moveTo(x, y)));
      path.closePath();
    }
  }
  return path;
}

/** The board's extent along its grain, across it, and from top to bottom; [low, high] each. */
function spanOf({ parts, more = [], grain }) {
  const [cos, sin] = [Math.cos(grain), Math.sin(grain)];
  const points = [...parts, ...more].flatMap(([outer]) => outer);
  const range = (values) => [Math.min(...values), Math.max(...values)];
  return {
    along: range(points.map(([x, y]) => cos * x + sin * y)),
    across: range(points.map(([x, y]) => cos * y - sin * x)),
    upright: range(points.map(([, y]) => y)),
  };
}

/** The shadow on what lies below, and the board's side as far as it is seen. */
function drawSides(ctx, path, colour, theme) {
  const fill = theme.material === "neon" ? mix(theme.panel, colour, 0.3) : darken(colour, 0.42);
  ctx.fillStyle = fill;
  kept(ctx, () => {
    ctx.translate(0, THICKNESS);
    shadowed(ctx, { blur: 12, dy: 6, colour: theme.shade }, () => ctx.fill(path, "evenodd"));
    ctx.translate(0, -THICKNESS / 2);
    ctx.fill(path, "evenodd");
  });
}

function drawFace(ctx, path, board, span, theme) {
  const colour = theme.tints[board.tint];
  const [top, bottom] = span.upright;
  const face = {
    gloss: [lighten(colour, 0.18), colour, darken(colour, 0.07)],
    flat: [colour, colour],
    neon: [mix(theme.panel, colour, 0.5), mix(theme.panel, colour, 0.34)],
    wood: [lighten(colour, 0.1), colour],
  }[theme.material];
  ctx.fillStyle = gradient(ctx, [0, top], [0, bottom + 1], face);
  ctx.fill(path, "evenodd");
  if (theme.material !== "wood") return;
  kept(ctx, () => {
    ctx.clip(path, "evenodd");
    ctx.rotate(board.grain);
    drawGrain(ctx, span, board.tint, colour);
  });
}

/** Wavy lines along the board. */
function drawGrain(ctx, { along: [start, end], across: [low, high] }, seed, colour) {
  const lines = Math.max(3, Math.round((high - low) / 6));
  for (let i = 0; i < lines; i++) {
    const number = seed * 17 + i;
    const across = low + ((i + 0.5) * (high - low)) / lines;
    const wave = (k) => across + Math.sin(number * 12.99 + k * 1.9) * 1.6 + Math.sin(number * 4.1 + k * 0.6) * 1.4;
    ctx.beginPath();
    for (let k = 0; start + k * 40 < end + 40; k++) ctx.lineTo(start + k * 40, wave(k));
    ctx.strokeStyle = fade(darken(colour, 0.55), 0.16 + 0.16 * Math.abs(Math.sin(number * 7.7)));
    ctx.lineWidth = 0.8 + 1.4 * Math.abs(Math.sin(number * 3.3));
    ctx.stroke();
  }
}

/**
 * Light and shade along the border, by where it faces. Where the `other` shape of the same board goes on beyond it there
 * is no border.
 */
function drawEdges(ctx, { parts, path }, other, colour, theme) {
  const transform = ctx.getTransform();
  const covered = (x, y) => {
    const point = transform.transformPoint(new DOMPoint(x, y)); // isPointInPath takes canvas pixels
    return ctx.isPointInPath(other.path, point.x, point.y, "evenodd");
  };
  const lines = new Map();
  for (const points of parts.flatMap(clockwise)) {
    points.forEach(([x, y], i) => {
      const [ax, ay] = points.at(i - 1);
      const direction = Math.atan2(y - ay, x - ax);
      const outside = [(x + ax) / 2 + Math.sin(direction), (y + ay) / 2 - Math.cos(direction)];
      if (other.parts.length > 0 && covered(...outside)) return;
      const look = edgeColour(direction, colour, theme);
      if (!lines.has(look)) lines.set(look, new Path2D());
      lines.get(look).moveTo(ax, ay);
      lines.get(look).lineTo(x, y);
    });
  }
  kept(ctx, () => {
    ctx.clip(path, "evenodd");
    ctx.lineCap = "round";
    ctx.lineWidth = EDGE;
    for (const [look, line] of lines) {
      ctx.strokeStyle = look;
      ctx.stroke(line);
    }
  });
}

/** The rings of a part, each running so that the part lies to its right. */
function clockwise(rings) {
  return rings.map((points, i) => {
    const area = points.reduce((sum, [x, y], k) => sum + points.at(k - 1)[0] * y - x * points.at(k - 1)[1], 0);
    return area > 0 === (i === 0) ? points : points.toReversed();
  });
}

/** The look of an edge that runs in a direction with the board to its right. */
function edgeColour(direction, colour, theme) {
  if (theme.material === "flat") return darken(colour, 0.3);
  if (theme.material === "neon") return lighten(colour, 0.15);
  const facing = Math.round(8 * Math.cos(direction)) / 8; // 1 along the upper border, -1 along the lower one
  return facing > 0 ? mix(colour, "#ffffff", 0.15 + 0.45 * facing) : mix(colour, "#000000", 0.1 - 0.18 * facing);
}

/** The edges of drilled holes, as far as the board itself is in sight there. */
function drawRims(ctx, path, holes, radius, colour) {
  kept(ctx, () => {
    ctx.clip(path, "evenodd");
    for (const hole of holes) {
      ring(ctx, hole, radius + 1, darken(colour, 0.35), 2);
      ring(ctx, [hole[0], hole[1] + 1], radius + 2.5, fade(lighten(colour, 0.6), 0.35), 1.5);
    }
  });
}
