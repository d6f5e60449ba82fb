// What a screen reader hears: instructions once they have settled, the result at once.

const settle = 600;

export class Announcer {
  #polite;
  #assertive;
  #said = "";
  #waiting = "";
  #timer = 0;

  constructor(polite, assertive) {
    this.#polite = polite;
    this.#assertive = assertive;
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
    }, settle);
  }

  /** Interrupts with `sentence` and drops what was waiting. */
  interrupt(sentence) {
    this.hush();
    this.#assertive.textContent = sentence;
  }

  /** Empties both regions, so that the same words are news again. */
  hush() {
    clearTimeout(this.#timer);
    this.#said = "";
    this.#waiting = "";
    this.#polite.textContent = "";
    this.#assertive.textContent = "";
  }
}
