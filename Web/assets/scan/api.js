// API client for scans: create, read, change, delete. The bytes are uploaded by `tus.js`.

import { Problem, Unreachable } from "../core/session-client.js";
import { credentialsMode, csrfHeaders } from "../page/account.js";

const timeoutMilliseconds = 30_000;
const remembered = "mien.scan-key";
let key = recall();

/** Stores an API key for the lifetime of the tab. */
export function useKey(text) {
  key = text;
  try {
    sessionStorage.setItem(remembered, text);
  } catch {
    // Storage is disabled: the key lasts until the page is closed.
  }
}

/** Reports whether requests carry an API key, so that an address alone is not enough to load a file. */
export function usesKey() {
  return key !== "";
}

/** Returns the headers that authenticate a request: an API key takes precedence over the signed-in user. */
export function authHeaders() {
  return key ? { Authorization: `Bearer ${key}` } : csrfHeaders();
}

/** Returns the `credentials` mode for `fetch`: no cookie if there is an API key. */
export function requestCredentials() {
  return key ? "omit" : credentialsMode();
}

/** Creates a scan with its list of files; the response has the upload URL of each. */
export function createScan(scan) {
  return json("POST", "/v1/scans", scan);
}

/** Starts processing, once all bytes are uploaded. */
export function submit(id) {
  return json("POST", `${place(id)}/submit`);
}

export function look(id) {
  return json("GET", place(id));
}

/** Returns the scans that match the query fields, newest first: `{ scans, next, total }`. */
export function list(filter) {
  return json("GET", `/v1/scans?${query(filter)}`);
}

export function change(id, changes) {
  return json("PATCH", place(id), changes);
}

export function cancel(id) {
  return json("POST", `${place(id)}/cancel`);
}

export function retry(id) {
  return json("POST", `${place(id)}/retry`);
}

export function erase(id) {
  return json("DELETE", place(id));
}

export function exportAddress(id) {
  return `${place(id)}/export`;
}

/** Returns the subjects that match the query fields: `{ subjects, next, total }`. */
export function subjects(filter) {
  return json("GET", `/v1/subjects?${query(filter)}`);
}

export function createSubject(subject) {
  return json("POST", "/v1/subjects", subject);
}

/** Changes a subject. Omitted fields stay unchanged; an empty note or day removes it. */
export function describeSubject(id, changes) {
  return json("PATCH", `/v1/subjects/${encodeURIComponent(id)}`, changes);
}

/** Deletes a subject and all of its scans. */
export function eraseSubject(id) {
  return json("DELETE", `/v1/subjects/${encodeURIComponent(id)}`);
}

export function subjectExportAddress(id) {
  return `/v1/subjects/${encodeURIComponent(id)}/export`;
}

/** Returns the face tracker's result for an image. */
export function faces(picture, signal) {
  return json("POST", "/v1/faces", picture, signal);
}

/** Returns the bytes at a path of the server as a blob. */
export async function blob(path) {
  const reply = await send("GET", path, null, null, true);
  try {
    return await reply.blob();
  } catch (error) {
    throw silence(error);
  }
}

/** Downloads a path under a file name; without an API key, the browser fetches it directly. */
export async function save(path, name) {
  const held = key ? URL.createObjectURL(await blob(path)) : path;
  const link = Object.assign(document.createElement("a"), { href: held, download: name });
  link.click();
  if (held !== path) setTimeout(() => URL.revokeObjectURL(held), 60_000);
}

function place(id) {
  return `/v1/scans/${encodeURIComponent(id)}`;
}

/** Returns the members of `filter` that have a value as a query; with `%20` for spaces, since the server reads `+` as a plus sign. */
export function query(filter) {
  const given = Object.entries(filter).filter(([, value]) => value !== "" && value != null);
  return String(new URLSearchParams(given)).replaceAll("+", "%20");
}

/** Sends a request, with a JSON or binary body if there is one; returns the decoded response, or `null` if it is empty. */
export async function json(method, path, body = null, signal = null) {
  const reply = await send(method, path, body, signal);
  if (reply.status === 204) return null;
  const text = await reply.text().catch((error) => { throw silence(error); });
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw silence(error);
  }
}

async function send(method, path, body = null, signal = null, isLong = false) {
  const headers = authHeaders();
  if (body) headers["Content-Type"] = body instanceof Blob ? body.type : "application/json";
  // For long downloads, the timeout ends when the response starts: a model can take long on a slow connection.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMilliseconds);
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, body: body && !(body instanceof Blob) ? JSON.stringify(body) : body, cache: "no-store",
      credentials: requestCredentials(), signal: signal ?? (isLong ? late.signal : AbortSignal.timeout(timeoutMilliseconds)),
    });
  } catch (error) {
    throw silence(error);
  } finally {
    clearTimeout(timer);
  }
  if (reply.ok) return reply;
  const { code, detail } = await reply.json().catch(() => ({}));
  if (!code) throw silence(null);
  const after = Number(reply.headers.get("Retry-After"));
  throw Object.assign(new Problem(code, { retryAfter: after > 0 ? after : 1 }), { detail, status: reply.status });
}

function silence(cause) {
  return new Unreachable("unreachable", { cause });
}

function recall() {
  try {
    return sessionStorage.getItem(remembered) ?? "";
  } catch {
    return "";
  }
}
