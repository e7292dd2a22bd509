/**
 * What a hostile script in the page tries. Called with the name of a probe it resolves to the text of all that the probe
 * got hold of, without a name to the names of all probes. `given` is what an attacker may have guessed: the evaluator's
 * address, and the evaluator's name of the session.
 */
async ({ name, given }) => {
  const key = document.body.dataset.key;
  const socket = `ws://${location.host}/play/${key}/socket`;
  const evaluator = ["/", "/sessions", "/objectives", `/sessions/${given.id}`, `/sessions/${given.id}/journal`];
  const guessed = [
    "/catalogue", "/catalogue/", "/catalogue/rush_hour/easy/01.json", "/solutions", "/solutions/1", "/levels", "/level/1",
    "/snapshots", "/evidence", "/sessions", `/sessions/${given.id}`, "/objectives", "/evaluator.json", "/state",
    "/.lpb-suite/evaluator.json", "/openapi.json", "/docs", "/debug", "/admin", "/api", "/metrics", "/robots.txt",
    "/.git/config", "/.env", "/pyproject.toml", "/play", "/play/", `/play/${key}/state`, `/play/${key}/solution`,
    `/play/${key}/journal`, "/static", "/static/",
  ];
  const climbing = [
    "../page.html", "..%2f..%2fpyproject.toml", "%2e%2e/%2e%2e/pyproject.toml", "..%5c..%5cpyproject.toml",
    "%252e%252e%252fpyproject.toml", "/etc/passwd", "//etc/passwd", "....//....//pyproject.toml", "main.js%00.json",
    "views/../../../pipeline/suite/play.py", "file:///etc/passwd",
  ];
  const questions = [
    '{"type":"state"}', '{"type":"solution"}', '{"type":"command","name":"solve"}', '{"type":"command","name":"hint"}',
    '{"type":"restore","state":"-"}', '{"type":"command","name":"level","number":9999}', '{"__proto__":{"admin":true}}',
    '{"type":"settled","revision":1e99}', "[]", "null", "GET / HTTP/1.1", "x".repeat(900),
  ];

  /** Everything a value says of itself down to a depth, as lines of text. */
  const dump = (root, depth, lines = [], seen = new Set()) => {
    if (root === null || (typeof root !== "object" && typeof root !== "function")) {
      lines.push(String(root));
    } else if (depth > 0 && !seen.has(root) && seen.size < 20000) {
      seen.add(root);
      lines.push(typeof root === "function" ? Function.prototype.toString.call(root) : Object.prototype.toString.call(root));
      for (const property of Reflect.ownKeys(root)) {
        lines.push(String(property));
        try {
          dump(root[property], depth - 1, lines, seen);
        } catch (error) {
          lines.push(String(error));
        }
      }
    }
    return lines;
  };
  /** What an address answers. */
  const text = async (address, options) => {
    try {
      const answer = await fetch(address, options);
      return `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
    } catch (error) {
      return String(error);
    }
  };
  const texts = (addresses, options) => Promise.all(addresses.map((address) => text(address, options)));
  /** All that a socket says before it closes, or within a moment. */
  const sniff = (address, question = null) =>
    new Promise((resolve) => {
      const heard = [];
      try {
        const line = new WebSocket(address);
        line.onopen = () => question && line.send(question);
        line.onmessage = ({ data }) => heard.push(data);
        line.onclose = ({ code, reason }) => resolve([...heard, code, reason]);
        line.onerror = () => setTimeout(() => resolve([...heard, "no line"]), 50);
        setTimeout(() => line.close(), 300);
      } catch (error) {
        resolve([String(error)]);
      }
    });
  /** What becomes of an element that loads an address. */
  const load = (tag, address) =>
    new Promise((resolve) => {
      const element = document.createElement(tag);
      element.onload = () => resolve(`${tag} loaded`);
      element.onerror = () => resolve(`${tag} refused`);
      setTimeout(() => resolve(`${tag} silent`), 300);
      element.src = address;
      document.body.append(element);
    });
  const logged = () => performance.getEntriesByType("resource").map((entry) => entry.name);
  const scripts = () => logged().filter((address) => address.startsWith(location.origin) && address.endsWith(".js"));

  const probes = {
    "the log of the network": () => performance.getEntries().map((entry) => entry.toJSON()),
    "every property of the window, enumerable or not": () => dump(window, 4),
    "what belongs to the page's elements": () => [...document.querySelectorAll("*")].map((element) => dump(element, 2)),
    "the whole document": () => document.documentElement.outerHTML,
    "the canvas and its context": () => [...document.querySelectorAll("canvas")].map((c) => dump(c.getContext("2d"), 2)),
    "style sheets": () => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)),
    "local and session storage": () => [{ ...localStorage }, { ...sessionStorage }],
    "cookies": () => document.cookie,
    "databases": () => indexedDB.databases(),
    "caches": () => caches.keys(),
    "private files of the origin": async () => Array.fromAsync((await navigator.storage.getDirectory()).keys()),
    "history, opener, referrer and name": () => dump([history.state, window.opener, document.referrer, window.name], 3),
    "the files of the log, fetched again": () => texts(logged()),
    "what the modules of the page export": () => Promise.all(scripts().map(async (url) => dump(await import(url), 4))),
    "source maps": () => texts([...scripts(), "/static/style.css"].map((address) => `${address}.map`)),
    "the page asked for as data": () => text(location.pathname, { headers: { Accept: "application/json" } }),
    "the page asked for in part": () => text(location.pathname, { headers: { Range: "bytes=0-10000" } }),
    "the page by other methods": () =>
      Promise.all(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => text(location.pathname, { method }))),
    "guessed addresses": () => texts(guessed),
    "switches of the launch": () =>
      texts(["debug=1", "solution=1", "admin=true", "level=1", "game=..", "seed=-1", "lang=../x"].map((q) => `/?${q}`)),
    "paths out of the folder": () => texts(climbing.map((path) => `/static/${path}`)),
    "templates instead of files": () => texts(["page.html", "message.html", ".hidden", "views"].map((p) => `/static/${p}`)),
    "sessions by other keys": () =>
      texts([given.id, "A".repeat(22), "*", `${key}%00`, key.toLowerCase()].map((other) => `/play/${other}`)),
    "sockets of other keys": () =>
      Promise.all([given.id, "A".repeat(22), "*"].map((other) => sniff(socket.replace(key, other)))),
    "the evaluator, fetched": () => texts(evaluator.map((path) => given.evaluator + path)),
    "the evaluator, fetched without CORS": () => texts(evaluator.map((path) => given.evaluator + path), { mode: "no-cors" }),
    "the evaluator, posted to": () =>
      text(`${given.evaluator}/sessions/${given.id}/restore`, { method: "POST", mode: "no-cors", body: "{}" }),
    "the evaluator by a socket": () => sniff(`${given.evaluator.replace("http", "ws")}/sessions/${given.id}`),
    "the evaluator as picture, script and frame": () =>
      Promise.all(["img", "script", "iframe"].map((tag) => load(tag, `${given.evaluator}/sessions/${given.id}`))),
    "the evaluator by a beacon": () => String(navigator.sendBeacon(`${given.evaluator}/sessions`, "{}")),
    "the evaluator as a stream of events": () =>
      new Promise((resolve) => {
        const stream = new EventSource(`${given.evaluator}/sessions`);
        stream.onmessage = ({ data }) => resolve(data);
        stream.onerror = () => resolve("refused");
      }),
    "a service worker": async () => (await navigator.serviceWorker.register("/static/main.js", { scope: "/" })).scope,
    "a worker made of text": () =>
      new Promise((resolve) => {
        const worker = new Worker(URL.createObjectURL(new Blob(["postMessage('ran')"])));
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = () => resolve("refused");
      }),
    "script made of text": () => {
      const script = document.createElement("script");
      script.textContent = "document.title = 'inline script ran'";
      document.body.append(script);
      return document.title;
    },
    "other pages of this browser": () =>
      ["view-source:", "file:///", "chrome://", "devtools://"].map((scheme) => String(window.open(scheme + location.href))),
    "files of this machine": () => texts(["file:///etc/passwd", "file:///proc/self/cmdline"]),
    "channels between pages": () =>
      new Promise((resolve) => {
        const heard = [];
        for (const channel of ["suite", "lpb", "evaluator"]) {
          new BroadcastChannel(channel).onmessage = ({ data }) => heard.push(data);
        }
        setTimeout(() => resolve(heard), 100);
      }),
    "stacks of errors": () => {
      try {
        return HTMLCanvasElement.prototype.getContext.call(null);
      } catch (error) {
        return error.stack;
      }
    },
    "questions to the server": () => Promise.all(questions.map((question) => sniff(socket, question))),
  };
  if (name === null) return Object.keys(probes);
  try {
    const patience = new Promise((resolve) => setTimeout(() => resolve("no answer"), 5000));
    return JSON.stringify(await Promise.race([probes[name](), patience])) ?? "";
  } catch (error) {
    return String(error);
  }
}
