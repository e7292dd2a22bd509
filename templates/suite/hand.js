/** Pointer and keys on the board, as the server wants to hear of them. */
import { SIDE } from "./paint.js";

const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);

/**
 * Report the primary pointer on a canvas: moves once per picture at most, and a cancel when the pointer is lost.
 * Further fingers and other buttons are ignored.
 * @param {HTMLCanvasElement} canvas
 * @param {(message: object) => void} send
 */
export function watchPointer(canvas, send) {
  let [held, moved] = [null, null]; // the pointer that is down; its last place that was not reported yet
  const flush = () => {
    if (moved) send({ type: "move", ...moved });
    moved = null;
  };
  const release = (message) => {
    held = null;
    flush();
    send(message);
  };
  const cancel = () => held !== null && release({ type: "cancel" });

  canvas.addEventListener("pointerdown", (event) => {
    if (held !== null || !event.isPrimary || event.button !== 0) return;
    event.preventDefault();
    held = event.pointerId;
    canvas.setPointerCapture(held);
    send({ type: "down", ...pointOf(canvas, event) });
  });
  canvas.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held) return;
    if (!moved) requestAnimationFrame(flush);
    moved = pointOf(canvas, event);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (event.pointerId === held && event.button === 0) release({ type: "up", ...pointOf(canvas, event) });
  });
  for (const name of ["pointercancel", "lostpointercapture"]) {
    canvas.addEventListener(name, (event) => event.pointerId === held && cancel());
  }
  // A tap's click would come after its "up": it would hit what a win has laid over the board by then.
  canvas.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  window.addEventListener("blur", cancel);
  document.addEventListener("visibilitychange", () => document.hidden && cancel());
}

/** Report arrow keys, while `wanted()` says that a board is on show; a key held down counts once. */
export function watchKeys(wanted, send) {
  window.addEventListener("keydown", (event) => {
    if (!ARROWS.has(event.key) || !wanted() || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (!event.repeat) send({ type: "key", key: event.key });
  });
}

/** Where an event is, in pixels of the square, to a hundredth. */
function pointOf(canvas, { clientX, clientY }) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const part = (offset, whole) => Math.round((offset / whole) * SIDE * 100) / 100;
  return { x: part(clientX - left, width), y: part(clientY - top, height) };
}
