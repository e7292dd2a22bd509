/** What bolts, nuts and shelves are made of. A nut fills the box it is given; a rod stands in the middle of its box. */
import {
  SIDE,
  block,
  darken,
  fade,
  glowing,
  gradient,
  inkOn,
  inset,
  kept,
  lighten,
  line,
  mix,
  outline,
  panel,
  shadowed,
  stroke,
  wood,
} from "../paint.js";

const rodOf = ({ x, y, w, h }) => ({ x: x + w * 0.37, y, w: w * 0.26, h });

/** A nut from the side: three faces of a hexagon, `tones` their colours from left to right. */
function faces(ctx, { x, y, w, h }, tones) {
  const [a, b, bevel] = [x + w * 0.27, x + w * 0.73, Math.min(h * 0.2, w * 0.1)];
  const shape = [
    [
      [x, y + bevel],
      [x + bevel * 0.7, y],
      [a, y],
      [a, y + h],
      [x + bevel * 0.7, y + h],
      [x, y + h - bevel],
    ],
    [
      [a, y],
      [b, y],
      [b, y + h],
      [a, y + h],
    ],
    [
      [b, y],
      [x + w - bevel * 0.7, y],
      [x + w, y + bevel],
      [x + w, y + h - bevel],
      [x + w - bevel * 0.7, y + h],
      [b, y + h],
    ],
  ];
  shape.forEach((points, i) => {
    ctx.beginPath();
    points.forEach((point) => ctx.lineTo(...point));
    ctx.closePath();
    ctx.fillStyle = tones[i];
    ctx.fill();
  });
}

function thread(ctx, rod, colour) {
  const pitch = Math.max(5, rod.w * 0.36);
  kept(ctx, () => {
    ctx.beginPath();
    ctx.rect(rod.x, rod.y, rod.w, rod.h);
    ctx.clip();
    for (let y = rod.y - pitch; y < rod.y + rod.h; y += pitch) {
      line(ctx, [rod.x - 1, y], [rod.x + rod.w + 1, y + pitch * 0.55], colour, Math.max(1, pitch * 0.26));
    }
  });
}

/** A box around a nut with a little air, so that equal neighbours can be told apart. */
const seated = (box) => inset(box, Math.min(1.5, box.h * 0.05));

const gloss = {
  shelf(ctx, y, { base }, { shelf }) {
    const board = { x: -10, y: y - 2, w: SIDE + 20, h: Math.max(10, base) };
    shadowed(ctx, { blur: 14, dy: 6 }, () => block(ctx, board, 2, shelf, 0.1));
  },
  bolt(ctx, box, base, done, { steel, done: gold }) {
    const [rod, metal] = [rodOf(box), done ? mix(steel, gold, 0.75) : steel];
    const shades = [darken(metal, 0.35), lighten(metal, 0.4), metal, darken(metal, 0.4)];
    panel(ctx, rod, [rod.w * 0.3, rod.w * 0.3, 0, 0], gradient(ctx, [rod.x, 0], [rod.x + rod.w, 0], shades));
    thread(ctx, { ...rod, y: rod.y + rod.w * 0.3, h: rod.h - rod.w * 0.3 }, fade(darken(metal, 0.6), 0.5));
    const foot = { x: box.x - box.w * 0.03, y: box.y + box.h - base, w: box.w * 1.06, h: base };
    const sides = [darken(metal, 0.25), lighten(metal, 0.3), metal, darken(metal, 0.35)];
    panel(ctx, foot, [base * 0.35, base * 0.35, 2, 2], gradient(ctx, [foot.x, 0], [foot.x + foot.w, 0], sides));
  },
  nut(ctx, box, colour, halo = null) {
    const { x, y, w, h } = seated(box);
    const down = (top, bottom) => gradient(ctx, [0, y], [0, y + h], [top, mix(top, bottom, 0.4), bottom]);
    const back = () => panel(ctx, { x, y, w, h }, Math.min(h * 0.2, w * 0.1), darken(colour, 0.5));
    if (halo) glowing(ctx, halo, 14, back);
    else back();
    const light = colour === "#191919" ? 0.1 : 0.24;
    const middle = down(lighten(colour, light + 0.14), darken(colour, 0.06));
    faces(ctx, { x, y, w, h }, [
      down(lighten(colour, light * 0.5), darken(colour, 0.24)),
      middle,
      down(darken(colour, 0.1), darken(colour, 0.36)),
    ]);
    line(ctx, [x + w * 0.05, y + 1.5], [x + w * 0.95, y + 1.5], fade("#ffffff", 0.4), Math.min(2, h * 0.06));
    line(
      ctx,
      [x + w * 0.05, y + h - 1],
      [x + w * 0.95, y + h - 1],
      fade(darken(colour, 0.7), 0.5),
      Math.min(2, h * 0.06),
    );
  },
  tip(ctx, box, { done: gold }) {
    const rod = rodOf(box);
    const cap = { x: rod.x - rod.w * 0.35, y: box.y - rod.w * 0.15, w: rod.w * 1.7, h: rod.w * 1.05 };
    shadowed(ctx, { blur: 6, dy: 2 }, () => block(ctx, cap, [cap.w / 2, cap.w / 2, 3, 3], gold, 0.22));
  },
};

const flat = {
  shelf: (ctx, y, { base }, { shelf }) => panel(ctx, { x: 0, y: y - 1, w: SIDE, h: Math.max(8, base * 0.6) }, 0, shelf),
  bolt(ctx, box, base, done, { steel, done: mark }) {
    const [rod, metal] = [rodOf(box), done ? mark : steel];
    panel(ctx, rod, [rod.w / 2, rod.w / 2, 0, 0], metal);
    thread(ctx, { ...rod, y: rod.y + rod.w * 0.5, h: rod.h - rod.w * 0.5 }, darken(metal, 0.14));
    panel(
      ctx,
      { x: box.x, y: box.y + box.h - base, w: box.w, h: base },
      [base * 0.4, base * 0.4, 0, 0],
      darken(metal, 0.14),
    );
  },
  nut(ctx, box, colour, halo = null) {
    const nut = seated(box);
    faces(ctx, nut, [darken(colour, 0.1), lighten(colour, colour === "#191919" ? 0.12 : 0.16), darken(colour, 0.2)]);
    if (halo) outline(ctx, inset(nut, -2), nut.w * 0.08, halo, 3);
  },
  tip(ctx, box, { done: mark }) {
    const [rod, ink] = [rodOf(box), inkOn(mark)];
    const [x, y, r] = [rod.x + rod.w / 2, rod.y + rod.w * 0.5, rod.w * 0.85];
    panel(ctx, { x: x - r, y: y - r, w: 2 * r, h: 2 * r }, r, mark);
    stroke(
      ctx,
      [
        [x - r * 0.42, y],
        [x - r * 0.1, y + r * 0.34],
        [x + r * 0.45, y - r * 0.34],
      ],
      ink,
      r * 0.24,
    );
  },
};

const neon = {
  shelf: (ctx, y, layout, { shelf }) =>
    glowing(ctx, shelf, 12, () => line(ctx, [-5, y + 3], [SIDE + 5, y + 3], shelf, 3)),
  bolt(ctx, box, base, done, { steel, done: gold }) {
    const [rod, line] = [rodOf(box), done ? gold : steel];
    panel(ctx, rod, [rod.w / 2, rod.w / 2, 0, 0], mix("#0b0e1d", line, 0.22));
    thread(ctx, { ...rod, y: rod.y + rod.w * 0.5, h: rod.h - rod.w * 0.5 }, fade(line, 0.45));
    glowing(ctx, fade(line, done ? 0.9 : 0.4), 8, () => outline(ctx, rod, rod.w / 2, line, 2));
    panel(ctx, { x: box.x, y: box.y + box.h - base, w: box.w, h: base }, base * 0.35, mix("#0b0e1d", line, 0.7));
  },
  nut(ctx, box, colour, halo = null) {
    const nut = inset(seated(box), Math.min(1, box.h * 0.03));
    const [edge, radius] = [lighten(colour, 0.35), Math.min(nut.h * 0.28, nut.w * 0.14)];
    panel(ctx, nut, radius, mix("#0b0e1d", colour, 0.72));
    const face = { ...nut, x: nut.x + nut.w * 0.27, w: nut.w * 0.46 };
    panel(ctx, face, 0, mix("#0b0e1d", colour, 0.95));
    const [blur, glow] = halo ? [16, halo] : [nut.h * 0.16, fade(colour, 0.8)];
    glowing(ctx, glow, blur, () => outline(ctx, nut, radius, halo ?? edge, Math.min(2.5, nut.h * 0.08)));
  },
  tip(ctx, box, { done: gold }) {
    const rod = rodOf(box);
    glowing(ctx, gold, 14, () => panel(ctx, inset({ ...rod, h: rod.w }, -rod.w * 0.12), rod.w, gold));
  },
};

const wooden = {
  shelf(ctx, y, { base }, { shelf }) {
    const board = { x: -10, y: y - 2, w: SIDE + 20, h: Math.max(14, base * 1.2) };
    shadowed(ctx, { blur: 12, dy: 5 }, () => panel(ctx, board, 2, darken(shelf, 0.3)));
    wood(ctx, { ...board, h: board.h - 3 }, 2, shelf, { seed: Math.round(y) });
  },
  bolt(ctx, box, base, done, { steel, done: mark }) {
    const [rod, foot] = [rodOf(box), { x: box.x, y: box.y + box.h - base, w: box.w, h: base }];
    const shades = [darken(steel, 0.3), lighten(steel, 0.2), darken(steel, 0.3)];
    panel(ctx, rod, [rod.w / 2, rod.w / 2, 0, 0], gradient(ctx, [rod.x, 0], [rod.x + rod.w, 0], shades));
    thread(ctx, { ...rod, y: rod.y + rod.w * 0.5, h: rod.h - rod.w * 0.5 }, fade(darken(steel, 0.6), 0.3));
    panel(ctx, foot, [base * 0.4, base * 0.4, 2, 2], darken(done ? mark : steel, 0.35));
  },
  nut(ctx, box, colour, halo = null) {
    const ring = seated(box);
    const radius = Math.min(ring.h * 0.45, ring.w * 0.2);
    const back = () => panel(ctx, ring, radius, darken(colour, 0.45));
    if (halo) glowing(ctx, halo, 14, back);
    else back();
    wood(ctx, inset(ring, Math.min(1.5, ring.h * 0.05)), radius, mix(colour, "#caa26a", 0.08), { seed: 7 });
    panel(
      ctx,
      { x: ring.x + ring.w * 0.12, y: ring.y + ring.h * 0.16, w: ring.w * 0.76, h: ring.h * 0.14 },
      ring.h * 0.07,
      fade("#ffffff", 0.3),
    );
  },
  tip(ctx, box, { done: mark }) {
    const rod = rodOf(box);
    const knob = { x: rod.x - rod.w * 0.2, y: rod.y - rod.w * 0.2, w: rod.w * 1.4, h: rod.w * 1.2 };
    shadowed(ctx, { blur: 6, dy: 2 }, () => block(ctx, knob, knob.w / 2, mark, 0.2));
  },
};

/** By the theme's `material`: `shelf` below a row, `bolt`, `nut` (a halo: it is lifted), `tip` of a finished bolt. */
export const MATERIALS = { gloss, flat, neon, wood: wooden };
