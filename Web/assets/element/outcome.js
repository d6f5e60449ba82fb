// Details of the element's events. They are for display only: the backend must ask the server whether the user passed.

const keys = {
  "problem.unauthorized": "session_token_error",
  "problem.forbidden": "session_token_error",
  "problem.token-expired": "invalid_or_expired_session",
  "problem.not-found": "invalid_or_expired_session",
  "problem.check-ended": "invalid_or_expired_session",
  "problem.second-client": "invalid_or_expired_session",
  "trouble.session": "session_token_error",
  "trouble.page": "API_ERROR",
  "trouble.unreachable": "API_ERROR",
  "reason.expired": "invalid_or_expired_session",
  "reason.eyes-closed": "eyes_closed",
  "reason.no-face": "image_capture_failed",
  "reason.frozen-camera": "image_capture_failed",
  "reason.face-lost": "image_capture_failed",
  "reason.not-measured": "image_capture_failed",
  "reason.image-capture-failed": "image_capture_failed",
  "reason.timestamps-backwards": "image_capture_failed",
  "reason.too-many-observations": "image_capture_failed",
};

/** Returns the vendor's error key for an ending; `task_failed` if the user did not complete the task. */
function errorKey({ over, problem, trouble }) {
  if (problem) return keys[`problem.${problem}`] ?? "API_ERROR";
  if (trouble) return keys[`trouble.${trouble}`] ?? "image_capture_failed";
  return keys[`reason.${over?.reason}`] ?? "task_failed";
}

/**
 * Returns the event name and detail for an ending, or `null` if there is nothing to report (the user stopped). The
 * server makes the clip, so only the backend can fetch it.
 */
export function outcomeOf(ending, { session, metadata, faceImage }) {
  const { over, problem, trouble, title, text } = ending;
  if (!over && !problem && !trouble) return null;
  const passed = over?.state === "passed";
  const detail = {
    sessionId: session?.id ?? null,
    passed,
    state: over?.state ?? "open",
    reason: over?.reason ?? problem ?? trouble ?? null,
    faceImage,
    livenessClip: null,
    metadata,
  };
  if (!passed) detail.error = { key: errorKey(ending), message: `${title}. ${text}` };
  return { name: passed ? "success" : "failure", detail };
}

/** Returns the detail of a progress event, for pages that render their own interface. */
export function progressOf(step) {
  const { state, instruction, side, progress, hints, task = null, remaining_ms: remainingMs } = step;
  return { state, instruction, side, progress, hints, task, remainingMs };
}
