// The server's half of messages: lock, look, unlock. Frames go through `core/session-client.js`.

import { Problem, Unreachable, withClient } from "../core/session-client.js";

const patience = 15_000;

/** Asks for a recording of `steps` expressions. */
export async function record(steps, calibrate) {
  return performing(await ask("POST", "/v1/messages/recordings", { body: { steps, calibrate } }));
}

/** Asks for a performance that opens a message. */
export async function unlock(id, calibrate) {
  return performing(await ask("POST", `${place(id)}/unlock`, { body: { calibrate } }));
}

/** Locks a message; see the server's `POST /v1/messages` for `wish`. */
export function lock(wish) {
  return ask("POST", "/v1/messages", { body: wish });
}

/** What everybody may know who has the number. */
export function look(id) {
  return ask("GET", place(id));
}

/** Erases a message's text with the sender's receipt. */
export function erase(id, receipt) {
  return ask("DELETE", place(id), { token: receipt });
}

/** The GIF of a message as a blob. */
export async function picture(id) {
  return blob(await send("GET", pictureAddress(id)));
}

/** The GIF of a message with a sheet of the sender's own. */
export async function ownPicture(id, receipt, sheet) {
  return blob(await send("POST", pictureAddress(id), sheet, receipt));
}

/** What the server reads in a picture: `{ found, id }`. */
export function numberOfPicture(picture) {
  return ask("POST", "/v1/messages/number", { body: picture });
}

export function pictureAddress(id) {
  return `${place(id)}/gif`;
}

function place(id) {
  return `/v1/messages/${encodeURIComponent(id)}`;
}

function performing({ id, token, steps }) {
  return { ...withClient({ id, token }), kind: "performances", steps };
}

async function ask(method, path, { body = null, token = null } = {}) {
  const reply = await send(method, path, body, token);
  if (!reply.ok) throw await problem(reply);
  if (reply.status === 204) return null;
  try {
    return await reply.json();
  } catch (error) {
    throw silence(error);
  }
}

async function blob(reply) {
  if (!reply.ok) throw await problem(reply);
  try {
    return await reply.blob();
  } catch (error) {
    throw silence(error);
  }
}

/** Sends a value as JSON, or a blob as it is. */
async function send(method, path, body = null, token = null) {
  const headers = {};
  if (body) headers["Content-Type"] = body instanceof Blob ? body.type : "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    return await fetch(path, {
      method, headers, body: body && !(body instanceof Blob) ? JSON.stringify(body) : body, cache: "no-store", credentials: "omit",
      signal: AbortSignal.timeout(patience),
    });
  } catch (error) {
    throw silence(error);
  }
}

async function problem(reply) {
  const { code } = await reply.json().catch(() => ({}));
  const retryAfter = Number(reply.headers.get("Retry-After"));
  return code ? new Problem(code, { retryAfter: retryAfter > 0 ? retryAfter : 1 }) : silence(null);
}

/** No answer, and which of three kinds of silence it is. */
function silence(cause) {
  const kind = !navigator.onLine ? "offline" : cause?.name === "TimeoutError" ? "timeout" : "unreachable";
  return Object.assign(new Unreachable(kind, { cause }), { trouble: kind });
}
