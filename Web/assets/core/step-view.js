// Text around the video: instruction, hint, count, time left, or the reason why frames cannot be processed.

import { wordsOf } from "./step-text.js";
import { TimeRing } from "./time-ring.js";

export class StepView {
  #texts;
  #announcer;
  #parts;
  #time;
  #again = () => {};

  constructor(root, texts, announcer) {
    this.#texts = texts;
    this.#announcer = announcer;
    const find = (id) => root.getElementById(id);
    this.#parts = {
      instruction: find("instruction"), hint: find("hint"), hintText: find("hint-text"), count: find("count"),
      live: find("instruction").closest("section"),
      cover: find("cover"), coverText: find("cover-text"),
    };
    this.#time = new TimeRing(find("remaining"));
  }

  show(step) {
    this.#again = () => this.show(step);
    this.uncover();
    const { told, own, hint, look, count } = wordsOf(step, this.#texts);
    this.#tell(told, own);
    this.#hint(hint, look);
    this.#room(step);
    set(this.#parts.count, count);
    this.#parts.count.hidden = count === "";
    this.#time.show(step.remaining_ms, this.#texts);
    this.#time.isPaused = step.instruction === "get-ready";
    this.#announcer.say([told, hint, count].filter(Boolean).map(sentence).join(" "));
  }

  /** Shows only the text for `key`, without hint, count or time. */
  clear(key) {
    this.#again = () => this.clear(key);
    this.#quiet(this.#texts.text(key));
    this.uncover();
  }

  /** Covers the video with a message while frames cannot be processed. */
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

  /** Shows the same content in the current language of the texts. */
  repeat() {
    this.#again();
  }

  #quiet(told) {
    this.#tell(told, false);
    this.#hint("");
    this.#parts.count.hidden = true;
    this.#time.clear();
  }

  #tell(words, own) {
    set(this.#parts.instruction, words);
    this.#parts.instruction.dir = own ? "auto" : ""; // a question may use a different script than the page
    this.#parts.instruction.toggleAttribute("data-long", words.length > 60);
  }

  /** Marks tasks other than the head turn, whose texts need more space. */
  #room({ task }) {
    const { live } = this.#parts;
    if (task && task.kind !== "head-turn") live.dataset.task = task.kind;
    else delete live.dataset.task;
  }

  #hint(words, look = "") {
    const { hint, hintText } = this.#parts;
    hint.toggleAttribute("data-empty", words === "");
    for (const each of ["guide", "wrong"]) hint.toggleAttribute(`data-${each}`, look === each);
    if (words !== "") set(hintText, words); // an empty hint keeps its last text so that the layout does not jump
  }
}

/** Adds a period unless the text ends in punctuation, so that speech output pauses after it. */
function sentence(words) {
  return /\p{P}$/u.test(words) ? words : `${words}.`;
}

function set(element, words) {
  if (element.textContent !== words) element.textContent = words;
}
