// Uploads one file by tus 1.0: asks for the current offset and sends the rest in pieces, each with a checksum.

import { authHeaders, requestCredentials } from "./api.js";

const piece = 4 << 20;
const waits = [1, 2, 4, 8, 15, 30]; // seconds before each retry; the last one repeats
const stalled = 60_000; // milliseconds without progress before a request is aborted

// Error codes by status, since a HEAD response has no body.
const codes = { 401: "unauthorized", 403: "forbidden", 413: "body-too-large" };

/**
 * The upload is gone or rejected, and a retry cannot help. `status` is the server's, `code` the code of the page's
 * text.
 */
export class UploadRefused extends Error {
  constructor(status) {
    super(`upload refused: ${status}`);
    this.status = status;
    this.code = codes[status];
  }
}

/**
 * Uploads `blob`, starting at the server's offset.
 *
 * - `progress(bytes)`: number of bytes that the server has or probably has
 * - `lost(seconds)`: no response; the next attempt is in this many seconds. `lost(0)`: the server responds again
 */
export async function sendFile(address, blob, { progress, lost, signal, fresh = false }) {
  let offset = fresh ? 0 : null;
  let failures = 0;
  while (offset === null || offset < blob.size) {
    try {
      offset ??= await offsetOf(address, signal);
      if (failures > 0) lost(0);
      if (offset > blob.size) throw new UploadRefused(409);
      progress(offset);
      if (offset === blob.size) return;
      offset = await sendPiece(address, blob, offset, { progress, signal });
      failures = 0;
    } catch (error) {
      if (signal.aborted || error instanceof UploadRefused) throw error;
      const seconds = waits[Math.min(failures, waits.length - 1)];
      failures += 1;
      offset = null; // only the server knows what arrived
      lost(seconds);
      await pause(seconds, signal);
    }
  }
  progress(blob.size);
}

async function offsetOf(address, signal) {
  const reply = await fetch(address, {
    method: "HEAD", headers: { "Tus-Resumable": "1.0.0", ...authHeaders() }, cache: "no-store", credentials: requestCredentials(),
    signal: AbortSignal.any([signal, AbortSignal.timeout(stalled)]),
  });
  judge(reply.status);
  const offset = Number(reply.headers.get("Upload-Offset") ?? NaN);
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Error("no offset");
  return offset;
}

async function sendPiece(address, blob, offset, { progress, signal }) {
  const part = blob.slice(offset, offset + piece);
  const headers = {
    "Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(offset),
    ...authHeaders(),
  };
  // Digests are available only over TLS or on localhost.
  if (crypto.subtle) {
    const bytes = await part.arrayBuffer();
    headers["Upload-Checksum"] = `sha256 ${base64(await crypto.subtle.digest("SHA-256", bytes))}`;
  }
  const { status, arrived } = await request(address, headers, part, (sent) => progress(offset + sent), signal);
  judge(status);
  return Number.isSafeInteger(arrived) && arrived > offset ? arrived : null;
}

/** Sends a PATCH with `XMLHttpRequest`, because `fetch` does not report upload progress. */
function request(address, headers, body, progress, signal) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    let timer = 0;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => sending.abort(), stalled);
    };
    const stop = () => sending.abort();
    sending.open("PATCH", address);
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded }) => {
      watch();
      progress(loaded);
    };
    sending.onload = () => resolve({
      status: sending.status, arrived: Number(sending.getResponseHeader("Upload-Offset") ?? NaN),
    });
    sending.onerror = sending.onabort = () => reject(new Error("interrupted"));
    sending.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    signal.addEventListener("abort", stop);
    watch();
    sending.send(body);
  });
}

/**
 * Accepts a success, throws `UploadRefused` for permanent rejections, and a retryable error for all others; after 409
 * and 460, the offset is requested again.
 */
function judge(status) {
  if (status >= 200 && status < 300) return;
  if ([400, 401, 403, 404, 410, 412, 413, 415, 422].includes(status)) throw new UploadRefused(status);
  throw new Error(`status ${status}`);
}

function base64(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)));
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(resolve), seconds * 1000);
    const finish = (action) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      removeEventListener("online", soon);
      action();
    };
    const stop = () => finish(() => reject(signal.reason));
    const soon = () => finish(resolve);
    signal.addEventListener("abort", stop);
    addEventListener("online", soon);
  });
}
