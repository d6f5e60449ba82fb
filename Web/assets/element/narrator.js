// Says aloud what a screen reader would read, with the browser's own voice. The same words stand on the screen.

const voice = globalThis.speechSynthesis;

export class Narrator {
  #texts;
  #on = false;

  constructor(texts) {
    this.#texts = texts;
  }

  /** Whether this browser has a voice at all. */
  static get isPossible() {
    return voice !== undefined && typeof SpeechSynthesisUtterance === "function";
  }

  get isOn() {
    return this.#on;
  }

  set isOn(on) {
    this.#on = on && Narrator.isPossible;
    if (!this.#on) voice?.cancel();
  }

  say(sentence) {
    if (!this.#on) return;
    const words = new SpeechSynthesisUtterance(sentence);
    words.lang = this.#texts.language;
    voice.cancel(); // what was said before is no longer true
    voice.speak(words);
  }

  hush() {
    if (this.#on) voice.cancel();
  }
}
