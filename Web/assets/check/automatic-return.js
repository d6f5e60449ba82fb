// Automatic return to the integrator after a verdict: announced, with the time left, until the person stops it.

import { html } from "../core/dom.js";

/** Seconds until the return: about 10 to hear the result, and at least the 20 to react of WCAG 2.2 (2.2.1). */
const returnDelay = 30;
/** Events that show that a person is using the page; they restart the countdown. */
const activityEvents = ["pointerdown", "keydown", "wheel", "touchmove", "focusin", "selectionchange"];

export class AutomaticReturn {
  #announce;
  #texts;
  #address;
  #host;
  #left = 0;
  #timer = 0;
  // The seconds are shown only; screen readers announce the text once.
  #words = html("p", { id: "return-text" });
  #stay = html("button", { class: "plain", type: "button", id: "stay", "aria-keyshortcuts": "Escape", "data-text": "return.stay" });

  element = html("div", { class: "return", id: "return", hidden: true }, this.#words, this.#stay);

  /** `announce` announces a sentence to screen readers. */
  constructor(announce) {
    this.#announce = announce;
    this.#stay.addEventListener("click", () => this.#stop());
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#stop());
    for (const name of activityEvents) document.addEventListener(name, () => (this.#left = returnDelay), { passive: true });
    addEventListener("pagehide", () => this.end());
  }

  set texts(texts) {
    this.#texts = texts;
  }

  /** Starts the countdown after which the page opens `address`; `host` is the name shown for it. */
  start(address, host) {
    this.end();
    this.#address = address;
    this.#host = host;
    this.#left = returnDelay;
    this.#timer = setInterval(() => this.#tick(), 1000);
    this.#stay.hidden = false;
    this.element.hidden = false;
    this.#show();
    const button = this.#texts.text("return.stay");
    this.#announce(`${this.#sentence("long")} ${this.#texts.text("return.hint", { button })}`);
  }

  /** Stops the countdown and hides it. */
  end() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.element.hidden = true;
  }

  /** Stops the countdown permanently, at the person's request. */
  #stop() {
    if (this.#timer === 0) return;
    const focused = document.activeElement === this.#stay;
    this.end();
    this.element.hidden = false;
    this.#stay.hidden = true;
    this.#words.textContent = this.#texts.text("return.stopped");
    this.#announce(this.#words.textContent);
    if (focused) document.getElementById("ending-title").focus({ preventScroll: true });
  }

  /** Counts down by one second while the page is visible. */
  #tick() {
    if (document.visibilityState !== "visible") return;
    this.#left -= 1;
    this.#show();
    if (this.#left > 0) return;
    clearInterval(this.#timer);
    location.replace(this.#address); // so that going back skips the finished check
  }

  #show() {
    this.#words.textContent = this.#sentence("short");
  }

  #sentence(unitDisplay) {
    const seconds = new Intl.NumberFormat(this.#texts.locale, { style: "unit", unit: "second", unitDisplay });
    return this.#texts.text("return.text", { host: this.#host, time: seconds.format(this.#left) });
  }
}
