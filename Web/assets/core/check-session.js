// Runs one check from the first frame to its end; sends the next frame once the response has arrived.

import { Problem, SessionClient, Unreachable } from "./session-client.js";
import { BackOff, waitOrOnline } from "./retry.js";

const finalStates = ["passed", "failed", "timed-out"];
/** Problems that concern a single frame; the next one may be accepted. */
const passing = ["frame-in-flight", "frame-replayed", "out-of-order", "timestamp-out-of-range", "not-an-image"];
const mostInARow = 30;

/**
 * Runs a check. Returns `{ kind: "step", step }` with the final step, `{ kind: "problem", code }` if the server ends
 * the check, or `{ kind: "stopped" }`. Throws a `CameraTrouble`.
 *
 * Calls `show` with each step and the image it refers to, and `cover` with the reason why the check is waiting; `over`
 * lists the final states.
 */
export async function runCheck({ session, server, frames, signal, show, cover, over = finalStates }) {
  const client = new SessionClient(session, server);
  const backOff = new BackOff();
  let inARow = 0;
  while (!signal.aborted) {
    const frame = await frames.next();
    if (signal.aborted) break;
    try {
      const step = await client.send(frame);
      if (signal.aborted) break;
      backOff.reset();
      inARow = 0;
      if (over.includes(step.state)) return { kind: "step", step };
      show(step, frame.picture);
    } catch (error) {
      if (error instanceof Unreachable) {
        cover("unreachable");
        await backOff.wait();
        continue;
      }
      if (!(error instanceof Problem)) throw error;
      if (error.code === "check-ended" && error.step) return { kind: "step", step: error.step };
      if (error.isPassing) {
        cover("busy");
        await waitOrOnline(error.retryAfter * 1000);
        continue;
      }
      inARow += 1;
      if (!passing.includes(error.code) || inARow > mostInARow) return { kind: "problem", code: error.code };
      await waitOrOnline(100);
    }
  }
  return { kind: "stopped" };
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
