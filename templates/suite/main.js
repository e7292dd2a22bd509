/** The page of a session: frames of the server become screens, what hands do becomes messages. */
import { fit } from "./fit.js";
import { watchKeys, watchPointer } from "./hand.js";
import { Shell } from "./shell.js";
import { connect } from "./socket.js";
import { Stage } from "./stage.js";
import { loadTexts } from "./texts.js";
import { VIEWS } from "./views/table.js";

const FONTS = ['400 20px "LPB Sans"', '700 20px "LPB Sans"'];

/** Shows frames, always the newest one, and tells when its picture stands still. */
class Page {
  constructor(shell, stage, theme) {
    Object.assign(this, { shell, stage, theme, newest: null, still: false, level: null, send: () => {} });
  }

  /** Whether a board waits for moves. */
  get playing() {
    return this.newest?.screen.name === "level" && !this.newest.screen.won;
  }

  async show(frame) {
    if (this.shows(frame)) {
      this.newest.revision = frame.revision;
      if (this.still) this.settled(this.newest);
      return;
    }
    this.newest = frame;
    this.still = false;
    const { screen, effect } = frame;
    if (screen.name === "level") await this.showLevel(frame, screen, effect);
    else await this.showList(frame, screen);
  }

  /** Whether a frame has no news: what moves goes on moving, as when a click that acted at once is let go. */
  shows({ screen, effect }) {
    return effect === null && JSON.stringify(screen) === JSON.stringify(this.newest?.screen);
  }

  async showList(frame, screen) {
    const built = await this.shell.build(screen);
    if (this.newest !== frame) return;
    this.level = null;
    this.stage.clear();
    this.shell.mount(built);
    this.settled(frame);
  }

  async showLevel(frame, screen, effect) {
    const view = await VIEWS[screen.game]();
    if (this.newest !== frame) return;
    const level = [screen.game, screen.difficulty, screen.number].join("/");
    const fresh = level !== this.level;
    this.level = level;
    if (fresh) this.stage.use(view, this.theme);
    this.shell.showLevel(screen, view, effect);
    this.stage.resize();
    const scene = { layout: screen.layout, view: screen.view, hand: screen.hand };
    this.stage.show(scene, fresh ? null : effect, () => {
      this.shell.settleLevel(screen, view);
      this.settled(frame);
    });
  }

  /** Report a revision once the browser has painted what was drawn for it. */
  settled(frame) {
    this.still = this.newest === frame;
    const report = () => this.newest === frame && this.send({ type: "settled", revision: frame.revision });
    if (document.hidden) report();
    else requestAnimationFrame(() => setTimeout(report));
  }
}

async function start() {
  const { key, lang, theme } = document.body.dataset;
  const [texts] = await Promise.all([loadTexts(lang), ...FONTS.map((font) => document.fonts.load(font, "益智 Aa"))]);
  document.title = texts("title");
  const element = document.getElementById("page");
  fit(element);
  const shell = new Shell(element, texts, (name, more) => page.send({ type: "command", name, ...more }));
  const stage = new Stage(shell.canvas);
  const page = new Page(shell, stage, theme);
  page.send = connect(
    key,
    (frame) => page.show(frame),
    (trouble) => shell.showTrouble(trouble),
  );
  watchPointer(shell.canvas, (message) => page.send(message));
  watchKeys(
    () => page.playing,
    (message) => page.send(message),
  );
  window.addEventListener("resize", () => {
    fit(element);
    stage.resize();
  });
}

start();
