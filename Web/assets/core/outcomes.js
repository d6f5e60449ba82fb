// Ending of a check, by its cause. `over` is set if the check cannot continue.

import { CameraError } from "./camera.js";
import { Problem, Unreachable } from "./session-client.js";

/** Problems after which the server accepts no more frames of this check. */
const final = ["token-expired", "unauthorized", "forbidden", "not-found", "check-ended"];

/** Problems of a frame whose difference does not matter to people, with the code whose text they share. */
const sameText = {
  "out-of-order": "timestamp-out-of-range",
  "frame-in-flight": "timestamp-out-of-range",
  "too-many-frames": "timestamp-out-of-range",
  "body-too-slow": "timestamp-out-of-range",
  "image-too-large": "not-an-image",
  "body-too-large": "not-an-image",
  "unsupported-media-type": "not-an-image",
  "bad-request": "not-an-image",
  "bad-value": "not-an-image",
  "mixed-sources": "source-not-allowed",
  "busy": "internal-error",
  "unavailable": "internal-error",
  "too-many-requests": "internal-error",
};

/** Returns the ending for the server's decision or final problem; `renewable` if another check can be requested. */
export function endingForOutcome(outcome, { texts, renewable }) {
  if (outcome.kind === "problem") return endingForProblem(outcome.code, { texts, renewable });
  const { state, reason } = outcome.step;
  const over = { state, reason };
  if (state === "passed") {
    return { key: "passed", tone: "good", over, note: "passed.note", again: renewable ? "again.another" : null };
  }
  const key = texts.has(`reason.${reason}.title`) ? `reason.${reason}` : "reason.unknown";
  const tone = state === "timed-out" || reason === "timed-out" || reason === "expired" ? "late" : "bad";
  return { key, tone, over, note: "failed.note", again: renewable ? "again.try" : null };
}

/** Returns the ending for an error during the check. Try again resumes a check that was given. */
export function endingForError(error, { texts, renewable }) {
  if (error instanceof Problem) return endingForProblem(error.code, { texts, renewable });
  const other = error instanceof Unreachable ? "unreachable" : "page";
  const trouble = error instanceof CameraError ? `camera-${error.code}` : (error.trouble ?? other);
  return { key: `trouble.${trouble}`, tone: "wait", again: "again.try", trouble };
}

function endingForProblem(code, { texts, renewable }) {
  const key = [code, sameText[code]].map((name) => `problem.${name}`).find((name) => texts.has(`${name}.title`))
    ?? "problem.unknown";
  const over = final.includes(code) ? { state: "problem", reason: code } : null;
  const back = over && !renewable; // only the creator of the check can create another
  const [note, again] = back ? ["failed.note", null] : [null, "again.try"];
  return { key, tone: "wait", over, note, again, problem: code };
}
