/** Everything around the board: home, difficulties, the list of levels, the side panel, what is said on a win. */
import { button, make, sign } from "./dom.js";

const CROWDED = [15, 40, 84]; // more levels than these: smaller tiles

/** Builds the screens below one element. Commands go to `command(name, more)`. */
export class Shell {
  /**
   * @param {HTMLElement} page
   * @param {(path: string, values?: object) => any} texts
   * @param {(name: string, more?: object) => void} command
   */
  constructor(page, texts, command) {
    Object.assign(this, { page, texts, command });
    this.canvas = make("canvas", { width: 900, height: 900, role: "img" });
    this.trouble = make("p.trouble", { hidden: true, role: "alert" });
    this.titled = null; // the level whose side panel stands
    document.body.append(this.trouble);
  }

  /** Build home, difficulties or levels; resolves with what `mount` shows when the pictures on it are there. */
  async build(screen) {
    const builders = { home: this.home, difficulties: this.difficulties, levels: this.levels };
    const built = builders[screen.name].call(this, screen);
    await Promise.all([...built.querySelectorAll("img")].map((image) => image.decode().catch(() => null)));
    return built;
  }

  /** Show a screen that `build` made. */
  mount(built) {
    this.titled = null;
    this.page.replaceChildren(built);
  }

  home({ games }) {
    const cards = games.map(({ game, levels }) =>
      make(
        "button.card",
        { type: "button", onclick: () => this.command("game", { game }), disabled: levels === 0, data: { game } },
        picture(game),
        make("strong", {}, this.texts(`games.${game}.name`)),
        make("small", {}, this.texts("home.levels", { count: levels })),
      ),
    );
    return make(
      "section.home",
      {},
      this.heading(this.texts("title"), this.texts("home.lead")),
      make("div.cards", {}, ...cards),
    );
  }

  difficulties({ game, difficulties }) {
    const cards = difficulties.map(({ difficulty, levels, won }) =>
      make(
        "button.row",
        { type: "button", onclick: () => this.command("difficulty", { difficulty }), data: { difficulty } },
        make("strong", {}, this.texts(`difficulty.${difficulty}`)),
        make("small", {}, this.texts("difficulties.won", { won, levels })),
        make("progress", { max: Math.max(1, levels), value: won }),
      ),
    );
    const heading = this.heading(this.texts(`games.${game}.name`), this.texts("difficulties.lead"), game);
    const home = button(this.texts("buttons.home"), () => this.command("home"), { signed: "home" });
    return make("section.difficulties", {}, heading, make("div.rows", {}, ...cards), make("footer", {}, home));
  }

  levels({ game, difficulty, levels }) {
    const tiles = levels.map(({ number, status }) => {
      const label = `${this.texts("level.number", { number })}, ${this.texts(`levels.${status}`)}`;
      const onclick = () => this.command("level", { number });
      const mark = status === "open" ? null : sign(status);
      const tile = make(
        `button.tile.${status}`,
        { type: "button", onclick, disabled: status === "locked" },
        make("b", {}, String(number)),
        mark,
      );
      tile.setAttribute("aria-label", label);
      return tile;
    });
    const size = CROWDED.filter((count) => levels.length > count).length;
    const title = this.texts("levels.title", {
      game: this.texts(`games.${game}.name`),
      difficulty: this.texts(`difficulty.${difficulty}`),
    });
    const back = button(this.texts("buttons.back"), () => this.command("game", { game }), { signed: "back" });
    const home = button(this.texts("buttons.home"), () => this.command("home"), { signed: "home" });
    return make(
      "section.levels",
      {},
      this.heading(title, this.texts("levels.lead"), game),
      make(`div.tiles.size${size}`, {}, ...tiles),
      make("footer", {}, make("p", {}, this.texts("levels.rule")), back, home),
    );
  }

  heading(title, lead, game = null) {
    return make("header", {}, game && picture(game), make("h1", {}, title), make("p", {}, lead));
  }

  /** Show a level's frame: the panel is built when the level is new, the canvas stays. */
  showLevel(screen, view, effect) {
    const { game, difficulty, number, of, undo } = screen;
    const titled = JSON.stringify([game, difficulty, number, of, undo]);
    if (titled !== this.titled) {
      this.titled = titled;
      this.line = make("p.line", { role: "status" });
      this.canvas.setAttribute("aria-label", this.texts(`games.${game}.name`));
      this.square = make("div.square", {}, this.canvas);
      this.page.replaceChildren(make("section.level", {}, this.square, this.side(screen, view)));
    }
    this.square.querySelector(".win")?.remove();
    const refused = effect?.kind === "refused";
    this.line.classList.toggle("refused", refused);
    this.line.textContent = refused ? this.texts(`games.${game}.refused`) : this.statusOf(screen, view);
  }

  /** The level's picture stands still: what is said about it now depends on nothing but its state. */
  settleLevel(screen, view) {
    this.line.classList.remove("refused");
    this.line.textContent = this.statusOf(screen, view);
    if (screen.won) this.square.append(this.winPanel(screen));
  }

  statusOf({ game, view: shown, hand, layout }, view) {
    const status = view.status?.({ layout, view: shown, hand });
    return status ? this.texts(`games.${game}.status.${status.key}`, status) : "";
  }

  side({ game, difficulty, number, of, undo, view: shown }, view) {
    const { texts, command } = this;
    const goal = view.goal?.({ view: shown }) ?? "goal";
    const buttons = [
      button(texts("buttons.restart"), () => command("restart"), { signed: "restart" }),
      undo ? button(texts("buttons.undo"), () => command("undo"), { signed: "undo" }) : null,
      button(texts("buttons.menu"), () => command("menu"), { signed: "menu" }),
    ];
    return make(
      "aside",
      {},
      make("h1", {}, texts(`games.${game}.name`)),
      make(
        "p.number",
        {},
        make("strong", {}, texts("level.number", { number })),
        make("span", {}, texts("level.of", { of })),
        make("b.chip", {}, texts(`difficulty.${difficulty}`)),
      ),
      make("section.goal", {}, make("h2", {}, texts("level.goal")), make("p", {}, texts(`games.${game}.${goal}`))),
      make(
        "section.how",
        {},
        make("h2", {}, texts("level.how")),
        make("ul", {}, ...texts(`games.${game}.how`).map((text) => make("li", {}, text))),
      ),
      this.line,
      make("nav", {}, ...buttons),
    );
  }

  winPanel({ game, difficulty, number, of, last }) {
    const { texts, command } = this;
    const names = { game: texts(`games.${game}.name`), difficulty: texts(`difficulty.${difficulty}`), number, of };
    const menu = button(texts("buttons.levels"), () => command("menu"), {
      signed: "menu",
      kind: last ? "main" : "plain",
    });
    const said = last
      ? [
          make("h2", {}, texts("win.all")),
          make("p.done", {}, texts("win.done")),
          make("p", {}, texts("win.objective", names)),
        ]
      : [make("h2", {}, texts("win.title")), make("p", {}, texts("win.level", names))];
    const next = last ? null : button(texts("buttons.next"), () => command("next"), { signed: "next", kind: "main" });
    const badge = make("div.badge", {}, sign(last ? "cup" : "won"));
    return make(`div.win${last ? ".last" : ""}`, {}, make("div.box", {}, badge, ...said, make("nav", {}, next, menu)));
  }

  /** Say that there is no line to the server, or that there is one again (null). */
  showTrouble(trouble) {
    this.trouble.hidden = trouble === null;
    if (trouble) this.trouble.textContent = this.texts(`connection.${trouble}`);
  }
}

function picture(game) {
  return make("img", { src: `/static/icons/${game}.svg`, alt: "", draggable: false });
}
