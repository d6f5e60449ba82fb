// The server's half of the check: frames go out, steps come in.

const patience = 15_000;

/** The server answered, but with a problem document; `code` is its stable code. */
export class Problem extends Error {
  constructor(code, { step = null, retryAfter = 1 } = {}) {
    super(code);
    this.code = code;
    this.step = step;
    this.retryAfter = retryAfter;
  }

  /** Refused for now only: the same request may be answered after `retryAfter` seconds, and nothing was lost. */
  get isPassing() {
    return ["busy", "unavailable", "too-many-requests"].includes(this.code);
  }
}

/** No answer at all: the server or the way to it is gone. */
export class Unreachable extends Error {}

/** Asks the server for a check of its own for somebody with these abilities; only where the demonstration is on. */
export async function createDemoCheck(abilities = null, server = location.origin) {
  const { id, token } = await request(new URL("/v1/demo/checks", server), {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(abilities ? { abilities } : {}),
  });
  return { id, token };
}

/** The check with what makes this page its client: a random id, and the origin of the clock for its frames. */
export function withClient(check) {
  // Not the time of day: in some browsers the page's clock stands while the device sleeps, and has fallen behind it.
  return { ...check, client: crypto.randomUUID(), began: performance.timeOrigin + performance.now() };
}

export class SessionClient {
  #path;
  #headers;
  #clockOffset;

  /** `server` is the address that the check's own is relative to: this page's, unless it stands elsewhere. */
  constructor({ id, token, client, began, kind = "checks" }, server = location.origin) {
    this.#path = new URL(`/v1/${kind}/${encodeURIComponent(id)}/frames`, server);
    this.#headers = { Authorization: `Bearer ${token}`, "Content-Type": "image/jpeg", "Mien-Client": client };
    // The page's clock begins anew when it is reloaded; the check's clock goes on, and never from before it began.
    this.#clockOffset = Math.max(performance.timeOrigin - began, -performance.now());
  }

  /** Sends one frame and returns the step that the server answers with. */
  send({ picture, capturedAt }) {
    const headers = { ...this.#headers, "Mien-Captured-At": (this.#clockOffset + capturedAt).toFixed(1) };
    return request(this.#path, { headers, body: picture });
  }
}

async function request(path, { headers, body }) {
  let reply;
  try {
    reply = await fetch(path, {
      method: "POST", headers, body, cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(patience),
    });
  } catch (error) {
    throw new Unreachable(path, { cause: error });
  }
  let document;
  try {
    document = await reply.json();
  } catch (error) {
    throw new Unreachable(path, { cause: error }); // a proxy's page, or an answer cut off
  }
  if (reply.ok) return document;
  if (!document.code) throw new Unreachable(path);
  const retryAfter = Number(reply.headers.get("Retry-After"));
  throw new Problem(document.code, { step: document.step, retryAfter: retryAfter > 0 ? retryAfter : 1 });
}
