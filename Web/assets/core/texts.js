// The wording of one language, keyed by the server's stable codes.

import { bestLanguage } from "./languages.js";

const files = new URL("../texts/", import.meta.url);

export class Texts {
  #table = {};
  language = "";
  direction = "ltr";

  /** Loads the first of the wished-for languages that exists. */
  static async load(wishes) {
    const texts = new Texts();
    await texts.change(wishes);
    return texts;
  }

  /** Changes the language in place: whoever holds these texts speaks the new one from now on. */
  async change(wishes) {
    const wished = bestLanguage(wishes);
    if (wished.code === this.language) return;
    try {
      await this.#take(wished);
    } catch (error) {
      // Better in English than not at all; who has words already keeps them.
      if (this.language !== "" || wished.code === "en") throw error;
      await this.#take(bestLanguage(["en"]));
    }
  }

  async #take({ code, direction }) {
    const reply = await fetch(new URL(`${code}.json`, files), { credentials: "omit" });
    if (!reply.ok) throw new Error(`texts: ${reply.status}`);
    this.#table = await reply.json();
    this.language = code;
    this.direction = direction;
  }

  /** The text for a key with `{name}` places filled in; the key itself where no text exists, so that a gap is seen. */
  text(key, values = {}) {
    const found = this.#table[key] ?? key;
    return found.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
  }

  /** Whether there is a text for a key. */
  has(key) {
    return key in this.#table;
  }

  /** As many texts as there are of `prefix.1`, `prefix.2`, … */
  list(prefix) {
    const found = [];
    while (this.has(`${prefix}.${found.length + 1}`)) found.push(this.text(`${prefix}.${found.length + 1}`));
    return found;
  }

  /** Fills every element that names its text: `data-text` its content, `data-text-label` its accessible name. */
  fill(root) {
    for (const element of root.querySelectorAll("[data-text]")) element.textContent = this.text(element.dataset.text);
    for (const element of root.querySelectorAll("[data-text-label]")) {
      element.setAttribute("aria-label", this.text(element.dataset.textLabel));
    }
  }
}
