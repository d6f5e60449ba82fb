// One step of the server in words: instruction, first hint, time left.

import { hasText, text } from "../shared/texts.js";

export class StepView {
  #instruction = document.getElementById("instruction");
  #hint = document.getElementById("hint");
  #hintText = document.getElementById("hint-text");
  #remaining = document.getElementById("remaining");
  #cover = document.getElementById("cover");
  #coverText = document.getElementById("cover-text");
  #announcer;

  constructor(announcer) {
    this.#announcer = announcer;
  }

  show({ instruction, side, hints, remaining_ms: remaining }) {
    this.uncover();
    const told = text(instructionKey(instruction, side));
    const hint = hints.length > 0 ? text(`hint.${hints[0]}`) : "";
    set(this.#instruction, told);
    this.#hint.toggleAttribute("data-empty", hint === "");
    if (hint !== "") set(this.#hintText, hint); // an empty one keeps its words, so that the line does not jump
    set(this.#remaining, remaining > 0 ? text("check.remaining", { seconds: Math.ceil(remaining / 1000) }) : "");
    this.#announcer.say(hint ? `${told}. ${hint}` : told);
  }

  /** Nothing to show yet. */
  clear(key) {
    set(this.#instruction, text(key));
    set(this.#remaining, "");
    this.#hint.toggleAttribute("data-empty", true);
    this.uncover();
  }

  /** Hides the picture behind a message while nothing can be judged. */
  cover(key) {
    this.#cover.hidden = false;
    set(this.#instruction, text(`cover.${key}.title`));
    set(this.#coverText, text(`cover.${key}`));
    set(this.#remaining, "");
    this.#hint.toggleAttribute("data-empty", true);
    this.#announcer.say(`${text(`cover.${key}.title`)}. ${text(`cover.${key}`)}`);
  }

  uncover() {
    this.#cover.hidden = true;
  }
}

/** Some instructions name a side. */
function instructionKey(instruction, side) {
  const sided = `instruction.${instruction}.${side}`;
  return side && hasText(sided) ? sided : `instruction.${instruction}`;
}

function set(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
