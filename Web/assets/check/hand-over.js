// Hand-over of a check to a phone: its link as a QR code, and its progress while the phone performs it.

import { html } from "../core/dom.js";
import { qrImage } from "../core/qr-code.js";
import { Problem, Unreachable, pageOf } from "../core/session-client.js";

const interval = 2_000;
const finalStates = ["passed", "failed", "timed-out"];
/** Causes that another device may not have. */
const causes = ["camera-absent", "insecure", "unsupported"];

export class HandOver {
  #session;
  #texts;
  #told;
  #code = html("div");
  #status = html("p", { id: "phone-status", role: "status" });
  #watching = null;

  element = html("section", { class: "hand-over", id: "phone", hidden: true, "aria-labelledby": "phone-title" },
    html("h2", { id: "phone-title", "data-text": "phone.title" }),
    html("p", { "data-text": "phone.lead" }), this.#code, this.#status);

  /** Calls `told` with the outcome once the check is over. */
  constructor(session, told) {
    this.#session = session;
    this.#told = told;
  }

  set texts(texts) {
    this.#texts = texts;
  }

  /** Stops watching the check. */
  stop() {
    this.#watching?.abort();
  }

  /**
   * Shows the code after an error of this device; hides it after every other ending. `origin` is that of the server as
   * a phone reaches it.
   */
  offer(trouble, origin) {
    this.stop();
    this.element.hidden = !causes.includes(trouble) || !isReachable(origin);
    if (this.element.hidden) return;
    const { id, token } = this.#session;
    const link = `${origin}/check#id=${encodeURIComponent(id)}&token=${encodeURIComponent(token)}`;
    this.#code.replaceChildren(qrImage(link, this.#texts.text("phone.code")));
    this.#watching = new AbortController();
    this.#watch(this.#watching.signal);
  }

  async #watch(signal) {
    while (!signal.aborted) {
      try {
        const { state, reason } = await pageOf(this.#session);
        if (signal.aborted) return;
        if (finalStates.includes(state)) return this.#told({ kind: "step", step: { state, reason } });
        this.#tell(this.#texts.text(state === "running" ? "phone.running" : "phone.waiting"));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && !error.isPassing) return this.#told({ kind: "problem", code: error.code });
        if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
      }
      await new Promise((done) => setTimeout(done, interval));
    }
  }

  /** Announces a state once. */
  #tell(words) {
    if (this.#status.textContent !== words) this.#status.textContent = words;
  }
}

/** `false` for addresses at which a phone cannot run the check: those of this device, and those without TLS. */
function isReachable(origin) {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" && !/^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
}
