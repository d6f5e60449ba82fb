// Switches screens, moves the focus, and shows a check's ending.

import { MatchView } from "./match-view.js";

export class Screens {
  #root;
  #texts;
  #announcer;
  #match;
  #ending = null;
  current = "";

  constructor(root, texts, announcer) {
    this.#root = root;
    this.#texts = texts;
    this.#announcer = announcer;
    this.#match = new MatchView(root, texts);
    // Only checks have an ID to copy.
    root.getElementById("copy-id")?.addEventListener("click", () => this.#copy());
  }

  /** Shows one screen and moves the focus to its heading unless `focus` is `false`. */
  show(name, { focus = true } = {}) {
    this.current = name;
    for (const section of this.#root.querySelectorAll("section[data-screen]")) {
      section.hidden = section.dataset.screen !== name;
    }
    if (focus) this.#root.querySelector(`section[data-screen="${name}"] .title`).focus({ preventScroll: true });
  }

  /**
   * Shows the ending. `key` is the prefix of the texts (`key.title`, `key.text`, `key.step.1` …), `tone` selects the
   * emblem (`good`, `bad`, `late`, `wait`), `note` is the text key of a closing sentence, `again` the button's text key
   * or `null`, `reference` the check's ID, `match` the result of the face comparison. Returns the heading and the
   * sentence below it.
   */
  end(ending) {
    this.#ending = ending;
    const told = this.#fillEnding();
    this.show("ending");
    const { match, ...words } = told;
    this.#announcer.interrupt([`${words.title}. ${words.text}`, match].filter(Boolean).join(" "));
    return words;
  }

  /** Shows the same ending in the current language of the texts. */
  repeat() {
    this.#fillEnding();
  }

  #fillEnding() {
    const { key, tone, note = null, again = null, reference = null, match = null } = this.#ending;
    const find = (id) => this.#root.getElementById(id);
    const words = (name, values) => (name === null ? "" : this.#texts.text(name, values));
    const told = { title: words(`${key}.title`), text: words(`${key}.text`) };
    find("emblem").dataset.tone = tone;
    find("ending-title").textContent = told.title;
    find("ending-text").textContent = told.text;
    find("ending-steps").replaceChildren(...this.#texts.list(`${key}.step`).map(listItem));
    find("again").hidden = again === null;
    find("again").textContent = words(again);
    find("ending-note").textContent = words(note);
    this.#showReference(reference);
    return { ...told, match: this.#match.show(match) };
  }

  /** Shows the check's ID as a code that can be copied, where the language puts it in the sentence. */
  #showReference(id) {
    const line = this.#root.getElementById("ending-reference");
    line.hidden = id === null;
    if (id === null) return;
    const [before, after = ""] = this.#texts.text("ending.reference", { id: "\u0000" }).split("\u0000");
    const [first, last] = line.querySelectorAll("span");
    first.textContent = before;
    last.textContent = after;
    this.#root.getElementById("check-id").textContent = id;
    const copy = this.#root.getElementById("copy-id");
    copy.hidden = !navigator.clipboard; // needs a secure context
    copy.textContent = this.#texts.text("ending.copy");
  }

  async #copy() {
    const id = this.#root.getElementById("check-id").textContent;
    const words = this.#texts.text(await navigator.clipboard.writeText(id).then(() => "ending.copied", () => "ending.copy-failed"));
    this.#root.getElementById("copy-id").textContent = words;
    this.#announcer.interrupt(words);
  }
}

function listItem(words) {
  const item = document.createElement("li");
  item.textContent = words;
  return item;
}
