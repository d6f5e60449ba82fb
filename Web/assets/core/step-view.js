// The words around the picture: instruction, hint, count, time left; or why nothing can be judged just now.

import { wordsOf } from "./wording.js";

export class StepView {
  #texts;
  #announcer;
  #parts;
  #again = () => {};

  constructor(root, texts, announcer) {
    this.#texts = texts;
    this.#announcer = announcer;
    const find = (id) => root.getElementById(id);
    this.#parts = {
      instruction: find("instruction"), hint: find("hint"), hintText: find("hint-text"), count: find("count"),
      live: find("instruction").closest("section"), remaining: find("remaining"),
      cover: find("cover"), coverText: find("cover-text"),
    };
  }

  show(step) {
    this.#again = () => this.show(step);
    this.uncover();
    const { told, own, hint, look, count } = wordsOf(step, this.#texts);
    const { remaining_ms: remaining } = step;
    this.#tell(told, own);
    this.#hint(hint, look);
    this.#room(step);
    set(this.#parts.count, count);
    this.#parts.count.hidden = count === "";
    const seconds = Math.ceil(remaining / 1000);
    set(this.#parts.remaining, remaining > 0 ? this.#texts.text("check.remaining", { seconds }) : "");
    // A pause for reading is no time that runs out.
    this.#parts.remaining.toggleAttribute("data-paused", step.instruction === "get-ready");
    this.#announcer.say([told, hint, count].filter(Boolean).map(sentence).join(" "));
  }

  /** Nothing to show yet. */
  clear(key) {
    this.#again = () => this.clear(key);
    this.#quiet(this.#texts.text(key));
    this.uncover();
  }

  /** Hides the picture behind a message while nothing can be judged. */
  cover(key) {
    this.#again = () => this.cover(key);
    const [title, words] = [this.#texts.text(`cover.${key}.title`), this.#texts.text(`cover.${key}`)];
    this.#parts.cover.hidden = false;
    set(this.#parts.coverText, words);
    this.#quiet(title);
    this.#announcer.say(`${sentence(title)} ${words}`);
  }

  uncover() {
    this.#parts.cover.hidden = true;
  }

  /** The same in the language that the texts speak now. */
  repeat() {
    this.#again();
  }

  #quiet(told) {
    this.#tell(told, false);
    this.#hint("");
    this.#parts.count.hidden = true;
    set(this.#parts.remaining, "");
  }

  #tell(words, own) {
    set(this.#parts.instruction, words);
    this.#parts.instruction.dir = own ? "auto" : ""; // a question may be in another script than the page
    this.#parts.instruction.toggleAttribute("data-long", words.length > 60);
  }

  /** A task takes more room for its words. */
  #room({ task }) {
    const { live } = this.#parts;
    if (task && task.kind !== "head-turn") live.dataset.task = task.kind;
    else delete live.dataset.task;
  }

  #hint(words, look = "") {
    const { hint, hintText } = this.#parts;
    hint.toggleAttribute("data-empty", words === "");
    for (const each of ["guide", "wrong"]) hint.toggleAttribute(`data-${each}`, look === each);
    if (words !== "") set(hintText, words); // an empty one keeps its words, so that the line does not jump
  }
}

/** Words that a voice ends before it goes on. */
function sentence(words) {
  return /\p{P}$/u.test(words) ? words : `${words}.`;
}

function set(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
