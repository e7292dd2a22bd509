/** The canvas: settled pictures, and the animations between them. */
import { SIDE } from "./paint.js";

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Draws scenes of one level after another with the view and theme it is given. */
export class Stage {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.run = 0; // counts the scenes; an animation ends when it is no longer the newest
    this.scene = null;
  }

  /** From now on draw with a view module, in the theme of that name or else the view's first. */
  use(view, theme) {
    this.view = view;
    this.theme = view.themes[theme] ?? Object.values(view.themes)[0];
    this.scene = null;
  }

  /** No board is on show any more. */
  clear() {
    this.run += 1;
    this.scene = null;
  }

  /**
   * Show a scene: at once, or by an animation from the one before.
   * @param {{layout: object, view: object, hand: object|null}} scene
   * @param {object|null} effect as the server tells it
   * @param {() => void} onSettled called when the settled picture is drawn; never, when a newer scene comes first
   */
  show(scene, effect, onSettled) {
    const moving = effect && this.scene && !calm.matches && !document.hidden;
    const tween = moving ? this.view.tween(this.scene, scene, effect) : null;
    this.scene = scene;
    const run = ++this.run;
    if (!tween) return this.settle(scene, onSettled);
    let start = null;
    const step = (now) => {
      if (run !== this.run) return;
      start ??= now;
      const t = (now - start) / tween.ms;
      if (t >= 1) return this.settle(scene, onSettled);
      this.draw(tween.at(t));
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  settle(scene, onSettled) {
    this.draw(scene);
    onSettled();
  }

  /** Draw the scene again, at the canvas's present size in the window. */
  resize() {
    const side = Math.round(this.canvas.getBoundingClientRect().width * window.devicePixelRatio);
    if (side !== 0 && side !== this.canvas.width) this.canvas.width = this.canvas.height = side;
    if (this.scene) this.draw(this.scene);
  }

  draw(scene) {
    const ctx = this.canvas.getContext("2d");
    const scale = this.canvas.width / SIDE;
    ctx.setTransform(scale, 0, 0, scale, 0, 0);
    ctx.clearRect(0, 0, SIDE, SIDE);
    ctx.save();
    this.view.draw(ctx, scene, this.theme);
    ctx.restore();
  }
}
