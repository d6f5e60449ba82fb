// Hand-over of a check to a phone: its link as a QR code, and its progress while the phone performs it.

import { shortFragment } from "./credentials.js";
import { html } from "../core/dom.js";
import { qrImage } from "../core/qr-code.js";
import { Problem, Unreachable, pageOf } from "../core/session-client.js";

const interval = 1_000;
const finalStates = ["passed", "failed", "timed-out"];
/** Errors that may not occur on another device. */
const causes = ["camera-absent", "insecure", "unsupported"];

export class HandOver {
  #session;
  #texts;
  #told;
  #lead = html("p", { "data-text": "phone.lead" });
  #code = html("div");
  #status = html("p", { id: "phone-status", role: "status" });
  #task = html("p", { id: "phone-task" });
  #progress = html("progress", { id: "phone-progress", max: 1, value: 0, "aria-labelledby": "phone-status", hidden: true });
  #watching = null;

  element = html("section", { class: "hand-over", id: "phone", hidden: true, "aria-labelledby": "phone-title" },
    html("h2", { id: "phone-title", "data-text": "phone.title" }),
    this.#lead, this.#code, this.#status, this.#progress, this.#task);

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
    this.#code.replaceChildren(qrImage(`${origin}/check#${shortFragment(this.#session)}`, this.#texts.text("phone.code")));
    this.#watching = new AbortController();
    this.#watch(this.#watching.signal);
  }

  async #watch(signal) {
    while (!signal.aborted) {
      try {
        const { state, reason, progress, task } = await pageOf(this.#session);
        if (signal.aborted) return;
        if (finalStates.includes(state)) return this.#told({ kind: "step", step: { state, reason } });
        this.#tell(this.#texts.text(state === "running" ? "phone.running" : "phone.waiting"));
        this.#follow(state === "running", progress, task);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && !error.isPassing) return this.#told({ kind: "problem", code: error.code });
        if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
      }
      await new Promise((done) => setTimeout(done, interval));
    }
  }

  /** Shows the phone's progress; hides the code and its explanation once the phone has begun. */
  #follow(isRunning, progress, task) {
    this.#lead.hidden = this.#code.hidden = isRunning;
    this.#progress.hidden = typeof progress !== "number";
    if (typeof progress === "number") this.#progress.value = progress;
    this.#task.textContent = task ? this.#texts.text("count.tasks", { number: task.index + 1, count: task.count }) : "";
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
