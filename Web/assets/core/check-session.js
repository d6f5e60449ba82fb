// Runs one check from the first frame to its end. Several frames are under way at once, so that the frame rate does not
// depend on the round trip; the server evaluates them in order.

import { Problem, SessionClient, Unreachable } from "./session-client.js";
import { BackOff, waitOrOnline } from "./retry.js";
import { UploadRate } from "./upload-rate.js";

const finalStates = ["passed", "failed", "timed-out"];
/** Problems that concern a single frame; the next one may be accepted. */
const passing = [
  "frame-in-flight", "frame-replayed", "out-of-order", "timestamp-out-of-range", "not-an-image", "too-many-frames",
];
const mostInARow = 30;
/**
 * Frames that wait until another one may be sent, so that a late response costs no frame. The rate follows the
 * responses, so that no frame waits for long.
 */
const mostWaiting = 4;

/**
 * Runs a check. Returns `{ kind: "step", step }` with the final step, `{ kind: "problem", code }` if the server ends
 * the check, or `{ kind: "stopped" }`. Throws a `CameraError`.
 *
 * Calls `show` with each step, the image it refers to and the time of its capture, and `cover` with the reason why the check is waiting; `over`
 * lists the final states.
 */
export async function runCheck({ session, server, frames, signal, show, cover, over = finalStates }) {
  const client = new SessionClient(session, server);
  const sender = new FrameSender({ client, signal, show, cover, over });
  while (!sender.isOver) {
    await sender.wanted();
    if (sender.isOver) break;
    const frame = await Promise.race([frames.next(sender.plan), sender.ended]);
    if (!sender.isOver) sender.send(frame);
  }
  return sender.ended;
}

/** Frames under way and the responses to them. */
class FrameSender {
  #client;
  #handlers;
  #rate = new UploadRate();
  #backOff = new BackOff();
  #flights = new Set();
  #waiting = [];
  #pause = null;
  /** `true` after a lost connection, until a response arrives; meanwhile, one frame is sent at a time. */
  #isProbing = false;
  #inARow = 0;
  #number = 0;
  #shown = 0;
  #end;

  /** Resolves with the outcome. */
  ended;
  isOver = false;

  constructor({ client, signal, show, cover, over }) {
    this.#client = client;
    this.#handlers = { show, cover, over };
    this.ended = new Promise((done, fail) => {
      this.#end = { done, fail };
    });
    this.ended.catch(() => {}); // callers that await it get the error
    const stop = () => this.#finish({ kind: "stopped" });
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }

  /** Size and gap of the next frame. */
  get plan() {
    return this.#rate.plan(this.#window);
  }

  get #window() {
    return this.#isProbing ? 1 : this.#client.window;
  }

  /** Waits until another frame is wanted from the camera. */
  async wanted() {
    while (!this.isOver) {
      if (this.#pause) await Promise.race([this.#pause, this.ended]);
      // With one frame at a time, a frame is captured only when it can be sent, so that it is current.
      else if (this.#flights.size >= this.#window && this.#waiting.length >= (this.#window > 1 ? mostWaiting : 0)) {
        await Promise.race([...this.#flights, this.ended]);
      } else return;
    }
  }

  /** Sends a frame as soon as it may be sent, without waiting for the response. */
  send(frame) {
    this.#waiting.push(frame);
    this.#sendWaiting();
  }

  #sendWaiting() {
    while (!this.isOver && !this.#pause && this.#waiting.length > 0 && this.#flights.size < this.#window) {
      this.#number += 1;
      const flight = this.#fly(this.#waiting.shift(), this.#number).finally(() => {
        this.#flights.delete(flight);
        this.#sendWaiting();
      });
      this.#flights.add(flight);
    }
  }

  async #fly(frame, number) {
    const sentAt = performance.now();
    this.#rate.sent(frame.picture.size);
    try {
      const step = await this.#client.send(frame);
      if (this.isOver) return;
      this.#rate.acknowledged(frame.picture.size, sentAt, performance.now());
      this.#backOff.reset();
      this.#inARow = 0;
      this.#isProbing = false;
      if (this.#handlers.over.includes(step.state)) this.#finish({ kind: "step", step });
      else if (number > this.#shown) {
        this.#shown = number; // responses may arrive in another order
        this.#handlers.show(step, frame.picture, frame.capturedAt);
      }
    } catch (error) {
      if (!this.isOver) this.#handle(error);
    }
  }

  #handle(error) {
    const { cover } = this.#handlers;
    if (error instanceof Unreachable) {
      this.#isProbing = true;
      if (this.#pause) return; // the other frames under way were lost as well
      cover("unreachable");
      this.#wait(this.#backOff.wait());
    } else if (!(error instanceof Problem)) this.#fail(error);
    else if (error.code === "check-ended" && error.step) this.#finish({ kind: "step", step: error.step });
    else if (error.isPassing) {
      if (this.#pause) return;
      cover("busy");
      this.#wait(waitOrOnline(error.retryAfter * 1000));
    } else {
      this.#inARow += 1;
      if (!passing.includes(error.code) || this.#inARow > mostInARow) {
        this.#finish({ kind: "problem", code: error.code });
      } else if (error.code === "too-many-frames") {
        this.#client.window = 1; // until the next response says more
        this.#wait(waitOrOnline(error.retryAfter * 1000));
      } else if (this.#inARow > 1) this.#wait(waitOrOnline(100));
    }
  }

  #wait(pause) {
    if (this.#pause) return;
    this.#waiting = []; // they would be old when the pause ends
    this.#pause = pause.then(() => {
      this.#pause = null;
    });
  }

  #finish(outcome) {
    this.isOver = true;
    this.#end.done(outcome);
  }

  #fail(error) {
    this.isOver = true;
    this.#end.fail(error);
  }
}

/** Calls `create` until it succeeds; rethrows every error that is not temporary. Returns `null` if aborted. */
export async function askForCheck({ create, signal, cover }) {
  const backOff = new BackOff();
  while (!signal.aborted) {
    try {
      return await create();
    } catch (error) {
      const isPassing = error instanceof Problem && error.isPassing;
      if (!isPassing && !(error instanceof Unreachable)) throw error;
      cover(isPassing ? "busy" : "unreachable");
      if (isPassing) await waitOrOnline(error.retryAfter * 1000);
      else await backOff.wait();
    }
  }
  return null;
}
