/** One page for every window: 1280 × 900 side by side, or stacked 900 wide where the window is upright. */

const WIDE = [1280, 900];
const STACKED_WIDTH = 900;
const LARGEST = 1.5;

/** Scale and place the page in the window. @param {HTMLElement} page */
export function fit(page) {
  const [width, height] = [window.innerWidth, window.innerHeight];
  const stacked = width < 0.9 * height;
  const scale = stacked ? width / STACKED_WIDTH : Math.min(width / WIDE[0], height / WIDE[1], LARGEST);
  const [w, h] = stacked ? [STACKED_WIDTH, height / scale] : WIDE;
  page.classList.toggle("stacked", stacked);
  page.style.width = `${w}px`;
  page.style.height = `${h}px`;
  const [left, top] = [Math.floor((width - w * scale) / 2), Math.floor((height - h * scale) / 2)];
  page.style.transform = scale === 1 && !left && !top ? "none" : `translate(${left}px, ${top}px) scale(${scale})`;
}
