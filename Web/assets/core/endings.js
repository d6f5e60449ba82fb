// How a check's end is told, by what ended it. `over` is set when nothing more can come of the check.

import { CameraTrouble } from "./camera.js";
import { Problem } from "./session-client.js";

/** Problems after which the server will take no more frames of this check. */
const final = ["token-expired", "unauthorised", "forbidden", "not-found", "check-over"];

/** The ending for what the server decided, or for its refusal to go on; `renewable`: another check can be had. */
export function ofOutcome(outcome, { texts, renewable }) {
  if (outcome.kind === "problem") return ofProblem(outcome.code, { texts, renewable });
  const { state, reason } = outcome.step;
  const over = { state, reason };
  if (state === "passed") {
    return { key: "passed", tone: "good", over, note: "passed.note", again: renewable ? "again.another" : null };
  }
  const key = texts.has(`reason.${reason}.title`) ? `reason.${reason}` : "reason.unknown";
  const tone = state === "timed-out" || reason === "timed-out" || reason === "expired" ? "late" : "bad";
  return { key, tone, over, note: "failed.note", again: renewable ? "again.try" : null };
}

/** The ending for trouble on this side; a check that was given goes on with Try again. */
export function ofTrouble(error, { texts, renewable }) {
  if (error instanceof Problem) return ofProblem(error.code, { texts, renewable });
  const trouble = error instanceof CameraTrouble ? `camera-${error.code}` : (error.trouble ?? "page");
  return { key: `trouble.${trouble}`, tone: "wait", again: "again.try", trouble };
}

function ofProblem(code, { texts, renewable }) {
  const key = texts.has(`problem.${code}.title`) ? `problem.${code}` : "problem.unknown";
  const over = final.includes(code) ? { state: "problem", reason: code } : null;
  const back = over && !renewable; // only whoever made the check can make another
  const [note, again] = back ? ["failed.note", null] : [null, "again.try"];
  return { key, tone: "wait", over, note, again, problem: code };
}
