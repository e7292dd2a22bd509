/** Bolt Unscrew: screws. Lengths are panel units. */

import { darken, disc, fade, gradient, kept, lighten, radial, ring, shadowed } from "../paint.js";

/** How far a screw's cross is turned in a hole: as it happened to be tightened there. */
export const turnAt = ([x, y]) => ((x * 0.731 + y * 0.417) % 1) * (Math.PI / 2);

/**
 * A screw's head, seen from above.
 * @param {{turn: number, lift: number}} how `turn` of its cross, radians; `lift` 0 when tight, 1 when taken up
 */
export function drawScrew(ctx, at, radius, { turn, lift }, theme) {
  const head = radius * (1.02 + 0.14 * lift);
  const [x, y] = [at[0], at[1] - radius * 0.45 * lift];
  if (theme.material === "flat") {
    disc(ctx, [x, y], head * 0.95, theme.screw);
    drawCross(ctx, [x, y], head, turn, [theme.panel, theme.panel]);
    return;
  }
  const shadow = { blur: radius * (0.35 + 0.7 * lift), dy: radius * (0.18 + 0.65 * lift), colour: theme.shade };
  shadowed(ctx, shadow, () => disc(ctx, [x, y], head, darken(theme.screw, 0.5)));
  const light = [x - head * 0.3, y - head * 0.4];
  const stops = [lighten(theme.screw, 0.65), [0.4, lighten(theme.screw, 0.1)], [0.8, darken(theme.screw, 0.16)], [1, darken(theme.screw, 0.3)]];
  disc(ctx, [x, y], head * 0.94, radial(ctx, light, head * 0.05, head * 1.5, stops));
  ring(ctx, [x, y], head * 0.72, fade(darken(theme.screw, 0.4), 0.35), head * 0.06);
  ring(ctx, [x, y - head * 0.02], head * 0.86, fade("#ffffff", 0.35), head * 0.06);
  drawCross(ctx, [x, y], head, turn, [darken(theme.screw, 0.72), darken(theme.screw, 0.45)]);
}

/** The cross a driver fits into; `colours` from its upper to its lower edge. */
function drawCross(ctx, [x, y], head, turn, colours) {
  kept(ctx, () => {
    ctx.translate(x, y);
    ctx.fillStyle = gradient(ctx, [0, -head * 0.6], [0, head * 0.6], colours);
    ctx.rotate(turn);
    ctx.beginPath();
    ctx.roundRect(-head * 0.56, -head * 0.13, head * 1.12, head * 0.26, head * 0.08);
    ctx.roundRect(-head * 0.13, -head * 0.56, head * 0.26, head * 1.12, head * 0.08);
    ctx.fill("nonzero");
  });
}
