// Texts of one language, keyed by the server's stable codes.

import { loadTexts } from "./files.js";
import { bestLanguage, regionalTag } from "./languages.js";

export class Texts {
  #table = {};
  #numbers = new Intl.NumberFormat("en");
  language = "";
  direction = "ltr";
  /** Language tag for `Intl`, with the browser's region if it has one for the language: `en-GB`. */
  locale = "en";

  #origin;

  /** Loads the first of the preferred languages that is available, from this server or from the one at `origin`. */
  static async load(preferred, origin) {
    const texts = new Texts();
    texts.#origin = origin;
    await texts.change(preferred);
    return texts;
  }

  /** Changes the language in place: every component that shares this instance uses the new one. */
  async change(preferred) {
    const best = bestLanguage(preferred);
    if (best.code === this.language) return;
    try {
      await this.#take(best, regionalTag(best.code, preferred));
    } catch (error) {
      // Falls back to English if no texts are loaded yet; otherwise the current language stays.
      if (this.language !== "" || best.code === "en") throw error;
      await this.#take(bestLanguage(["en"]), regionalTag("en", preferred));
    }
  }

  async #take({ code, direction }, locale) {
    this.#table = await loadTexts(code, this.#origin);
    this.language = code;
    this.direction = direction;
    this.locale = locale;
    this.#numbers = new Intl.NumberFormat(locale);
  }

  /**
   * Returns the text for a key with its `{name}` placeholders filled in, or the key itself if there is no text, so that
   * the gap is visible. Values that are numbers are formatted, strings are inserted as they are.
   */
  text(key, values = {}) {
    const found = this.#table[key] ?? key;
    return found.replace(/\{(\w+)\}/g, (place, name) => {
      if (!(name in values)) return place;
      return typeof values[name] === "number" ? this.#numbers.format(values[name]) : String(values[name]);
    });
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
