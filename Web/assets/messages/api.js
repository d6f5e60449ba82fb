// API client for messages: lock, read, unlock. Frames are sent by `core/session-client.js`.

import { Problem, Unreachable, withClient } from "../core/session-client.js";

const timeoutMilliseconds = 15_000;

/** Starts a recording of `steps` expressions. */
export async function record(steps) {
  return performing(await ask("POST", "/v1/messages/recordings", { body: { steps } }));
}

/** Starts a performance that unlocks a message; `key` is the secret part of its link, or `null`. */
export async function unlock(id, key) {
  return performing(await ask("POST", `${place(id)}/unlock`, { body: key ? { link_key: key } : {} }));
}

/** Locks a message; the argument is the body of the server's `POST /v1/messages`. */
export function lock(message) {
  return ask("POST", "/v1/messages", { body: message });
}

/** Returns the state of a message that is public to anyone with its ID. */
export function look(id) {
  return ask("GET", place(id));
}

/** Deletes a message's text, authorized by the sender's receipt. */
export function erase(id, receipt) {
  return ask("DELETE", place(id), { token: receipt });
}

/** Returns the GIF of a message as a blob. */
export async function picture(id, look) {
  return blob(await send("GET", pictureAddress(id, look)));
}

/** Returns the GIF of a message drawn with the sender's own sprite sheet. */
export async function ownPicture(id, receipt, sheet, look) {
  return blob(await send("POST", pictureAddress(id, look), sheet, receipt));
}

/** Returns the message ID that the server finds in an image: `{ found, id }`. */
export function numberOfPicture(picture) {
  return ask("POST", "/v1/messages/read-id", { body: picture });
}

/** Returns the address of a GIF; `look` is its `style` and `id_seconds`, or `null` for the server's defaults. */
export function pictureAddress(id, look = null) {
  return `${place(id)}/gif${look ? `?${new URLSearchParams(look)}` : ""}`;
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

/** Sends a value as JSON, or a blob unchanged. */
async function send(method, path, body = null, token = null) {
  const headers = {};
  if (body) headers["Content-Type"] = body instanceof Blob ? body.type : "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    return await fetch(path, {
      method, headers, body: body && !(body instanceof Blob) ? JSON.stringify(body) : body, cache: "no-store", credentials: "omit",
      signal: AbortSignal.timeout(timeoutMilliseconds),
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

/** Returns an `Unreachable` error whose `trouble` is `offline`, `timeout` or `unreachable`. */
function silence(cause) {
  const kind = !navigator.onLine ? "offline" : cause?.name === "TimeoutError" ? "timeout" : "unreachable";
  return Object.assign(new Unreachable(kind, { cause }), { trouble: kind });
}
