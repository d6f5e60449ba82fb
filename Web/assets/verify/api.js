// API client for captures: read, send, verify a file, delete.

import { Problem, Unreachable } from "../core/session-client.js";
import { csrfHeaders } from "../page/account.js";

const timeoutMilliseconds = 30_000;

/** Returns a capture by its ID. */
export async function look(id) {
  return document_(await ask("GET", place(id)));
}

/** Deletes a capture, authorized by the sender's receipt. */
export async function erase(id, receipt) {
  await ask("DELETE", place(id), { Authorization: `Bearer ${receipt}` });
}

/** Uploads a file for verification; `progress` receives the fraction sent, 0…1. */
export function verifyFile(file, progress) {
  return send("/v1/verify-file", file, progress);
}

/** Sends a capture: lists of files by part name. */
export function sendCapture(parts, progress) {
  const form = new FormData();
  for (const [name, files] of Object.entries(parts)) for (const file of files) form.append(name, file);
  return send("/v1/captures", form, progress);
}

function place(id) {
  return `/v1/captures/${encodeURIComponent(id)}`;
}

async function ask(method, path, headers = {}) {
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(timeoutMilliseconds),
    });
  } catch (error) {
    throw silence(error);
  }
  if (!reply.ok) throw problem(await reply.json().catch(() => ({})));
  return reply;
}

async function document_(reply) {
  try {
    return await reply.json();
  } catch (error) {
    throw silence(error);
  }
}

/** Sends a POST with `XMLHttpRequest`, because `fetch` does not report upload progress. */
function send(path, body, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    for (const [name, value] of Object.entries(csrfHeaders())) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => progress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status < 300 && request.response) resolve(request.response);
      else reject(problem(request.response ?? {}));
    };
    request.onerror = () => reject(silence(null));
    request.send(body);
  });
}

function problem({ code }) {
  return code ? new Problem(code) : silence(null);
}

function silence(cause) {
  return new Unreachable("unreachable", { cause });
}
