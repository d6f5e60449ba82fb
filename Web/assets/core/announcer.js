// Announces instructions after a short delay and results immediately: through two live regions for screen readers and,
// if given, a narrator that reads them aloud.

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

  /** Announces `sentence` once it has been current for 600 ms, unless it was the last one announced. */
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

  /** Announces `sentence` immediately and drops the pending one. */
  interrupt(sentence) {
    this.hush();
    this.#assertive.textContent = sentence;
    this.#narrator?.say(sentence);
  }

  /** Clears both regions, so that a repeated sentence is announced again. */
  hush() {
    clearTimeout(this.#timer);
    this.#said = "";
    this.#waiting = "";
    this.#polite.textContent = "";
    this.#assertive.textContent = "";
    this.#narrator?.hush();
  }
}
