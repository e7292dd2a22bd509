/** Bolt Unscrew: the panel, its frame and its holes. Lengths are panel units. */

import { darken, disc, fade, gradient, lighten, outline, panel, radial, ring, shadowed, wood } from "../paint.js";

const FRAME = 16;
const RADIUS = 22;

const boxOf = ({ width, height }, by = 0) => ({ x: -by, y: -by, w: width + 2 * by, h: height + 2 * by });

/** The panel the boards are screwed to. */
export function drawPanel(ctx, view, theme) {
  const box = boxOf(view);
  shadowed(ctx, { blur: 34, dy: 14, colour: theme.shade }, () => {
    panel(ctx, boxOf(view, FRAME), RADIUS + FRAME, darken(theme.frame, 0.3));
  });
  if (theme.material === "wood") {
    wood(ctx, box, RADIUS, theme.panel, { seed: 11, upright: true });
    return;
  }
  const lit = theme.material === "flat" ? [theme.panel, theme.panel] : [lighten(theme.panel, 0.14), darken(theme.panel, 0.06)];
  panel(ctx, box, RADIUS, gradient(ctx, [0, 0], [0, view.height], lit));
  if (theme.material === "gloss") brush(ctx, box, theme.panel);
}

/** Fine level lines, as brushed metal has. */
function brush(ctx, { w, h }, colour) {
  for (let y = 5; y < h - 4; y += 5) {
    const strength = 0.05 + 0.05 * Math.sin(y * 1.7) * Math.sin(y * 0.31);
    ctx.fillStyle = fade(y % 2 ? lighten(colour, 0.7) : darken(colour, 0.4), strength);
    ctx.fillRect(3, y, w - 6, 1.5);
  }
}

/** What leaves the panel goes under its frame. */
export function clipToPanel(ctx, view) {
  ctx.beginPath();
  ctx.roundRect(0, 0, view.width, view.height, RADIUS);
  ctx.clip();
}

/** The frame around the panel, and the shadow it throws on everything inside. */
export function drawFrame(ctx, view, theme) {
  const outer = boxOf(view, FRAME);
  const fill = gradient(ctx, [0, -FRAME], [0, view.height + FRAME], [lighten(theme.frame, 0.22), theme.frame]);
  const trace = () => {
    ctx.beginPath();
    ctx.roundRect(outer.x, outer.y, outer.w, outer.h, RADIUS + FRAME);
    ctx.roundRect(0, 0, view.width, view.height, RADIUS);
    ctx.fillStyle = theme.material === "flat" ? theme.hole : fill;
    ctx.fill("evenodd");
  };
  if (theme.material === "flat") trace();
  else shadowed(ctx, { blur: 12, dy: 5, colour: theme.shade }, trace);
  if (theme.material === "flat") return;
  outline(ctx, outer, RADIUS + FRAME, fade(lighten(theme.frame, 0.6), 0.5), 2);
  outline(ctx, boxOf(view, 1), RADIUS + 1, fade(darken(theme.frame, 0.5), 0.7), 2);
}

/** A hole in the panel: dark, its lower lip catching the light. */
export function drawHole(ctx, at, radius, theme) {
  const [x, y] = at;
  if (theme.material === "flat") {
    disc(ctx, at, radius * 0.9, theme.hole);
    return;
  }
  disc(ctx, [x, y + radius * 0.1], radius * 0.98, fade(lighten(theme.panel, 0.7), 0.75));
  disc(ctx, [x, y - radius * 0.04], radius * 0.98, fade(darken(theme.panel, 0.5), 0.55));
  const stops = [lighten(theme.hole, 0.12), [0.6, theme.hole], [1, darken(theme.hole, 0.55)]];
  disc(ctx, at, radius * 0.9, radial(ctx, [x, y + radius * 0.45], radius * 0.1, radius * 1.35, stops));
  if (theme.material === "neon") ring(ctx, at, radius * 0.92, fade("#8ea2ff", 0.55), 1.5);
}
