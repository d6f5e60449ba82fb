// What is heard: instructions once they have settled, the result at once. A screen reader reads it from two live
// regions; a narrator, if there is one, says it aloud.

const settle = 600;

export class Announcer {
  #polite;
  #assertive;
  #narrator;
  #said = "";
  #waiting = "";
  #timer = 0;

  constructor(root, narrator = null) {
    this.#polite = root.getElementById("polite");
    this.#assertive = root.getElementById("assertive");
    this.#narrator = narrator;
  }

  /** Says `sentence` when it has stood for a moment and was not the last thing said. */
  say(sentence) {
    if (sentence === this.#waiting) return;
    clearTimeout(this.#timer);
    this.#waiting = sentence;
    this.#timer = setTimeout(() => {
      if (sentence === this.#said) return;
      this.#said = sentence;
      this.#polite.textContent = sentence;
      this.#narrator?.say(sentence);
    }, settle);
  }

  /** Interrupts with `sentence` and drops what was waiting. */
  interrupt(sentence) {
    this.hush();
    this.#assertive.textContent = sentence;
    this.#narrator?.say(sentence);
  }

  /** Empties both regions, so that the same words are news again. */
  hush() {
    clearTimeout(this.#timer);
    this.#said = "";
    this.#waiting = "";
    this.#polite.textContent = "";
    this.#assertive.textContent = "";
    this.#narrator?.hush();
  }
}
