/** Making elements. */

/**
 * An element with properties and children; `on…` properties are listeners, `data` its data attributes, others are
 * properties of the element.
 * @param {string} tag a tag, with classes after dots: "div.card.won"
 */
export function make(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  element.classList.add(...classes);
  const { data = {}, ...others } = properties;
  Object.assign(element.dataset, data);
  Object.assign(element, others);
  element.append(...children.filter((child) => child !== null));
  return element;
}

const SIGNS = {
  restart: "M19.5 12a7.5 7.5 0 1 1-2.4-5.5M17.6 2.8v4h-4",
  undo: "M8.5 4.5 4 9l4.5 4.5M4.5 9H14a5.5 5.5 0 0 1 0 11h-4",
  menu: "M5 7h14M5 12h14M5 17h14",
  next: "M5 12h14M13 6l6 6-6 6",
  back: "M19 12H5M11 6l-6 6 6 6",
  home: "M4 11.5 12 5l8 6.5M6.5 10v9h11v-9",
  won: "M5 12.5l4.5 4.5L19 7.5",
  locked: "M7 11h10v8.5H7zM9 11V8a3 3 0 0 1 6 0v3",
  cup: "M8 4h8v6a4 4 0 0 1-8 0zM8 6H5v1a3 3 0 0 0 3 3M16 6h3v1a3 3 0 0 1-3 3M12 14v4M8.5 20h7M9.5 18h5",
};

/** A line drawing that takes the colour of the text beside it. */
export function sign(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("sign");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SIGNS[name]);
  svg.append(path);
  return svg;
}

/** A button with a label, and a sign before it where one is named. */
export function button(label, onclick, { signed = null, kind = "plain", disabled = false } = {}) {
  const pressed = (event) => {
    event.currentTarget.blur(); // a ring around the button last used would make equal states look different
    onclick();
  };
  return make(
    `button.${kind}`,
    { type: "button", onclick: pressed, disabled },
    signed && sign(signed),
    make("span", {}, label),
  );
}
