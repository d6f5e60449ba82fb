// The server's half of scans: make, look, change, erase. The bytes go through `tus.js`.

import { Problem, Unreachable } from "../core/session-client.js";
import { cookies, proof } from "../page/account.js";

const patience = 30_000;
const remembered = "mien.scan-key";
let key = recall();

/** Holds an API key for as long as the tab lives. */
export function useKey(text) {
  key = text;
  try {
    sessionStorage.setItem(remembered, text);
  } catch {
    // storage is switched off: it lasts as long as the page
  }
}

/** The headers that say who asks: a key before whoever is signed in. */
export function credentials() {
  return key ? { Authorization: `Bearer ${key}` } : proof();
}

/** Whether the cookie goes along. */
export function cookie() {
  return key ? "omit" : cookies();
}

/** Announces a scan with its files; each comes back with the address of its upload. */
export function createScan(wish) {
  return json("POST", "/v1/scans", wish);
}

/** All bytes are there: begin. */
export function submit(id) {
  return json("POST", `${place(id)}/submit`);
}

export function look(id) {
  return json("GET", place(id));
}

/** Scans by the fields of `wish`, the newest first: `{ scans, next, total }`. */
export function list(wish) {
  return json("GET", `/v1/scans?${query(wish)}`);
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

/** Subjects by the fields of `wish`: `{ subjects, next, total }`. */
export function subjects(wish) {
  return json("GET", `/v1/subjects?${query(wish)}`);
}

export function createSubject(subject) {
  return json("POST", "/v1/subjects", subject);
}

/** What is left out stays; an empty note or day takes it away. */
export function describeSubject(id, changes) {
  return json("PATCH", `/v1/subjects/${encodeURIComponent(id)}`, changes);
}

/** Erases a subject with all scans. */
export function eraseSubject(id) {
  return json("DELETE", `/v1/subjects/${encodeURIComponent(id)}`);
}

export function subjectExportAddress(id) {
  return `/v1/subjects/${encodeURIComponent(id)}/export`;
}

/** What the tracker sees in a picture. */
export function faces(picture, signal) {
  return json("POST", "/v1/faces", picture, signal);
}

/** The bytes at an address of the server. */
export async function blob(path) {
  const reply = await send("GET", path, null, null, true);
  try {
    return await reply.blob();
  } catch (error) {
    throw silence(error);
  }
}

/** Saves what is at an address under a name; the browser itself fetches it where that needs no key. */
export async function save(path, name) {
  const held = key ? URL.createObjectURL(await blob(path)) : path;
  const link = Object.assign(document.createElement("a"), { href: held, download: name });
  link.click();
  if (held !== path) setTimeout(() => URL.revokeObjectURL(held), 60_000);
}

function place(id) {
  return `/v1/scans/${encodeURIComponent(id)}`;
}

function query(wish) {
  return new URLSearchParams(Object.entries(wish).filter(([, value]) => value !== "" && value != null));
}

async function json(method, path, body = null, signal = null) {
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
  const headers = credentials();
  if (body) headers["Content-Type"] = body instanceof Blob ? body.type : "application/json";
  // Of what is long only until the answer begins: a model takes its time on a slow line.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, body: body && !(body instanceof Blob) ? JSON.stringify(body) : body, cache: "no-store",
      credentials: cookie(), signal: signal ?? (isLong ? late.signal : AbortSignal.timeout(patience)),
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
