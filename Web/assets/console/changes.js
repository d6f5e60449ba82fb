// Changes of this server's lists, as server-sent events. Requests with an API key need a header, which `EventSource` cannot send.

import { authHeaders, requestCredentials } from "../scan/api.js";

const pause = 1_000; // milliseconds before the next connection; the server ends each after a minute
const longestPause = 30_000;

/**
 * Calls `told` with the name of each list that changes, and with `null` after every connection, before which changes may have been
 * missed. Hidden pages are not connected.
 */
export async function watchChanges(told) {
  let wait = pause;
  for (;;) {
    await visible();
    const leaving = new AbortController();
    const leave = () => {
      if (document.visibilityState === "hidden") leaving.abort();
    };
    document.addEventListener("visibilitychange", leave);
    try {
      await read(told, leaving.signal);
      wait = pause;
    } catch (error) {
      if (error.isFinal) return;
      wait = leaving.signal.aborted ? pause : Math.min(2 * wait, longestPause);
    } finally {
      document.removeEventListener("visibilitychange", leave);
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}

async function read(told, signal) {
  const reply = await fetch("/v1/events", { headers: authHeaders(), credentials: requestCredentials(), cache: "no-store", signal });
  if (!reply.ok) {
    await reply.body?.cancel();
    // Repeating a request without permission does not help; the page itself reports it.
    throw Object.assign(new Error(String(reply.status)), { isFinal: reply.status === 401 || reply.status === 403 });
  }
  told(null);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split("\n\n");
    rest = events.pop();
    for (const event of events) {
      const list = /^data: (.+)$/m.exec(event)?.[1];
      if (list) told(list);
    }
  }
}

function visible() {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((done) => {
    document.addEventListener("visibilitychange", function look() {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      done();
    });
  });
}
