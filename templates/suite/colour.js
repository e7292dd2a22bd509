/**
 * Colours: "#rrggbb" in, "#rrggbb" out (only `fade` returns an rgba), and what the colour names of levels look like.
 */

/** The 24 names a level's colours have, as in pipeline/core/palette.py. */
export const PALETTE = {
  red: "#dc2828",
  coral: "#ff7f5f",
  maroon: "#801020",
  orange: "#ff8c14",
  gold: "#daaf28",
  peach: "#ffcdaa",
  tan: "#cdaf82",
  brown: "#875028",
  yellow: "#ffe128",
  olive: "#808018",
  lime: "#a0e632",
  mint: "#96f0be",
  green: "#23a03c",
  teal: "#008080",
  cyan: "#28d7eb",
  blue: "#285ae1",
  navy: "#141e78",
  purple: "#8232af",
  lavender: "#bea0f5",
  magenta: "#e628c8",
  pink: "#ff96c3",
  white: "#f5f5f5",
  gray: "#8c8c8c",
  black: "#191919",
};

/** @param {string} colour @returns {[number, number, number]} red, green, blue in 0…255 */
export function channels(colour) {
  const number = parseInt(colour.slice(1), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function hex(rgb) {
  return "#" + rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");
}

/** The colour a share `t` of the way from `a` to `b`. */
export function mix(a, b, t) {
  const [from, to] = [channels(a), channels(b)];
  return hex(from.map((part, i) => part + (to[i] - part) * t));
}

/** Nearer to white by the share `t`. */
export const lighten = (colour, t) => mix(colour, "#ffffff", t);

/** Nearer to black by the share `t`. */
export const darken = (colour, t) => mix(colour, "#000000", t);

/** The same colour, `alpha` opaque (0…1). */
export const fade = (colour, alpha) => `rgba(${channels(colour).join(",")},${alpha})`;

/** How bright a colour looks, 0 (black) … 1 (white). */
export function brightness(colour) {
  const [red, green, blue] = channels(colour);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** What stands out on a colour: `dark` on bright ones, `light` on dark ones. */
export const inkOn = (colour, dark = "#1c2430", light = "#ffffff") => (brightness(colour) > 0.6 ? dark : light);

/** The colour of a hue in degrees, saturation and lightness in 0…1. */
export function hsl(hue, saturation, lightness) {
  const strength = saturation * Math.min(lightness, 1 - lightness);
  const part = (n) => {
    const k = (n + hue / 30) % 12;
    return 255 * (lightness - strength * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return hex([part(0), part(8), part(4)]);
}

/** "Redmean" distance: near enough to how different two colours look to choose colours by. */
function difference(a, b) {
  const [p, q] = [channels(a), channels(b)];
  const red = (p[0] + q[0]) / 512;
  const square = (i) => (p[i] - q[i]) ** 2;
  return (2 + red) * square(0) + 4 * square(1) + (3 - red) * square(2);
}

function spareColours() {
  const found = Object.values(PALETTE);
  for (const lightness of [0.5, 0.68, 0.32]) {
    for (let hue = 0; hue < 360; hue += 15) found.push(hsl(hue, 0.75, lightness));
  }
  return found;
}

/**
 * A colour for every name on a board. Known names look as the theme or the palette says; a name of the author's own
 * gets the spare colour that differs most from all others, so that equal sets of names always look equal.
 * @param {Iterable<string>} names
 * @param {Object<string, string>} [adapted] a theme's own look of known names
 * @returns {Object<string, string>} colour by name
 */
export function coloursOf(names, adapted = {}) {
  const known = { ...PALETTE, ...adapted };
  const sorted = [...new Set(names)].sort();
  const look = Object.fromEntries(sorted.filter((name) => known[name]).map((name) => [name, known[name]]));
  let spare = spareColours();
  for (const name of sorted.filter((one) => !known[one])) {
    const used = Object.values(look);
    const apart = (colour) => Math.min(...used.map((other) => difference(colour, other)));
    if (spare.length === 0) spare = spareColours();
    look[name] = spare.reduce((best, colour) => (apart(colour) > apart(best) ? colour : best));
    spare = spare.filter((colour) => colour !== look[name]);
  }
  return look;
}

/**
 * A number that belongs to an id for as long as the level lasts: A, B, … count from 0, v12 is 12, other ids are
 * hashed. Views choose a piece's colour by it.
 */
export function ordinal(id) {
  if (/^[A-Za-z]$/.test(id)) return id.toUpperCase().charCodeAt(0) - 65;
  const digits = /\d{1,6}$/.exec(id);
  if (digits) return Number(digits[0]);
  let hash = 2166136261;
  for (const letter of id) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return hash % 9973;
}
