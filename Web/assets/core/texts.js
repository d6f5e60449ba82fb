// Texts of one language, keyed by the server's stable codes.

import { loadFile } from "./files.js";
import { bestLanguage } from "./languages.js";

export class Texts {
  #table = {};
  language = "";
  direction = "ltr";

  /** Loads the first of the preferred languages that is available. */
  static async load(wishes) {
    const texts = new Texts();
    await texts.change(wishes);
    return texts;
  }

  /** Changes the language in place: every component that shares this instance uses the new one. */
  async change(wishes) {
    const wished = bestLanguage(wishes);
    if (wished.code === this.language) return;
    try {
      await this.#take(wished);
    } catch (error) {
      // Falls back to English if no texts are loaded yet; otherwise the current language stays.
      if (this.language !== "" || wished.code === "en") throw error;
      await this.#take(bestLanguage(["en"]));
    }
  }

  async #take({ code, direction }) {
    this.#table = JSON.parse(await loadFile(`texts/${code}.json`));
    this.language = code;
    this.direction = direction;
  }

  /**
   * Returns the text for a key with its `{name}` placeholders filled in, or the key itself if there is no text, so that
   * the gap is visible.
   */
  text(key, values = {}) {
    const found = this.#table[key] ?? key;
    return found.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
  }

  /** Reports whether there is a text for a key. */
  has(key) {
    return key in this.#table;
  }

  /** Returns the texts `prefix.1`, `prefix.2`, … up to the first missing one. */
  list(prefix) {
    const found = [];
    while (this.has(`${prefix}.${found.length + 1}`)) found.push(this.text(`${prefix}.${found.length + 1}`));
    return found;
  }

  /** Fills in the texts of all marked elements: `data-text` sets the content, `data-text-label` the accessible name. */
  fill(root) {
    for (const element of root.querySelectorAll("[data-text]")) element.textContent = this.text(element.dataset.text);
    for (const element of root.querySelectorAll("[data-text-label]")) {
      element.setAttribute("aria-label", this.text(element.dataset.textLabel));
    }
  }
}
