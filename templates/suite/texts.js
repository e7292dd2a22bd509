/** The texts of the chosen language. */

/**
 * Load a language's texts.
 * @param {string} lang the name of a file below text/
 * @returns {Promise<(path: string, values?: object) => any>} what looks a text up by its dotted path, fills in
 *   `{values}`, and chooses between `one` and `other` by `count`; the last part of the path itself where there is none.
 *   Lists come whole.
 */
export async function loadTexts(lang) {
  const answer = await fetch(`/static/text/${lang}.json`);
  const texts = await answer.json();
  return (path, values = {}) => {
    const found = path.split(".").reduce((inside, name) => inside?.[name], texts);
    if (found === undefined) return path.split(".").at(-1);
    if (Array.isArray(found)) return found;
    return fill(typeof found === "string" ? found : values.count === 1 ? found.one : found.other, values);
  };
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
