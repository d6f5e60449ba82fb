// Reads announcements aloud with the browser's speech synthesis. The same text is on the screen.

const voice = globalThis.speechSynthesis;

export class Narrator {
  #texts;
  #on = false;

  constructor(texts) {
    this.#texts = texts;
  }

  /** `true` if this browser supports speech synthesis. */
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
    const { language, region } = new Intl.Locale(this.#texts.locale).maximize();
    // Chinese voices are named by region, such as zh-TW, not by script.
    words.lang = language === "zh" ? `zh-${region}` : this.#texts.locale;
    voice.cancel(); // earlier announcements are outdated
    voice.speak(words);
  }

  hush() {
    if (this.#on) voice.cancel();
  }
}
