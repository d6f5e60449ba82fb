// Client of a check on the server: sends frames and returns steps.

const timeoutMilliseconds = 15_000;
/** Frames under way at most. Over HTTP/1.1 browsers open six connections, so that two of the frames wait in the browser. */
const longestWindow = 8;
/**
 * Attempts to send a frame that reaches a server without the check: a load balancer may route the next attempt to another server.
 * None begins later than these milliseconds after the first: the server waits 700 ms for a frame's number.
 */
const maxAttempts = 10;
const longestRetry = 600;
/** Copies of such a frame that are sent at once, so that one of them reaches the right server. */
const copiesOfRetry = 2;

/** Problem document returned by the server; `code` is its stable code. */
export class Problem extends Error {
  constructor(code, { step = null, retryAfter = 1 } = {}) {
    super(code);
    this.code = code;
    this.step = step;
    this.retryAfter = retryAfter;
  }

  /**
   * `true` if the rejection is temporary: the same request may succeed after `retryAfter` seconds, and nothing was
   * lost.
   */
  get isPassing() {
    return ["busy", "unavailable", "too-many-requests"].includes(this.code);
  }
}

/** No usable response: the server or the network is unreachable. */
export class Unreachable extends Error {}

/**
 * Creates a demo check for a user with these abilities, and with a picture in base64 to compare the face with; available
 * only if the server's demo mode is enabled.
 */
export async function createDemoCheck({ abilities = null, referenceImage = null } = {}, server = location.origin) {
  const { id, token } = await request(new URL("/v1/demo/checks", server), {
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ abilities: abilities ?? undefined, reference_image: referenceImage ?? undefined }),
  });
  return { id, token };
}

/** Returns the state of a check's face comparison: `{ state, decision, reason }`. */
export function matchOf({ id, token }, server = location.origin) {
  const path = new URL(`/v1/checks/${encodeURIComponent(id)}/match`, server);
  return request(path, { method: "GET", headers: { Authorization: `Bearer ${token}` } });
}

/** Returns what the page of a check needs: `{ state, reason, return_url, public_url }`. */
export function pageOf({ id, token }, server = location.origin) {
  const path = new URL(`/v1/checks/${encodeURIComponent(id)}/page`, server);
  return request(path, { method: "GET", headers: { Authorization: `Bearer ${token}` } });
}

/** Returns the token of a check for the token's secret. */
export async function tokenFor(id, secret, server = location.origin) {
  const path = new URL(`/v1/checks/${encodeURIComponent(id)}/token`, server);
  return (await request(path, { headers: { Authorization: `Bearer ${secret}` } })).token;
}

/** Declines a check's face comparison before the check begins; the server deletes the picture's template. */
export async function declineMatch({ id, token }, server = location.origin) {
  const path = new URL(`/v1/checks/${encodeURIComponent(id)}/match/decline`, server);
  await exchange(path, { headers: { Authorization: `Bearer ${token}` } });
}

/**
 * Chooses the tasks of a check whose creator left the choice to the page. Throws a `Problem` with the code `forbidden` if
 * the check was created with other tasks.
 */
export async function chooseTasks({ id, token }, tasks, server = location.origin) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ tasks: tasks.map(toServer) });
  await exchange(new URL(`/v1/checks/${encodeURIComponent(id)}/tasks`, server), { headers, body });
}

/** Converts a task to the names of the server's API. */
function toServer({ maxNods, maxBlinks, questions, ...task }) {
  const asked = questions?.map(({ errorMessage, ...question }) => ({ ...question, error_message: errorMessage }));
  return { ...task, max_nods: maxNods, max_blinks: maxBlinks, questions: asked };
}

/**
 * Adds the data that identifies this page as the check's client: a random ID and the origin of the clock for its
 * frames.
 */
export function withClient(check) {
  // Not the time of day: in some browsers, the page's clock stops while the device sleeps and lags behind it.
  return { ...check, client: crypto.randomUUID(), began: performance.timeOrigin + performance.now() };
}

/** Milliseconds of a check per frame number: more numbers than frames, so that they grow after a reload as well. */
const millisecondsPerNumber = 20;

export class SessionClient {
  #path;
  #headers;
  #clockOffset;
  #number;

  /** Number of frames that the server accepts at the same time; 1 until it has stated it. */
  window = 1;

  /** `server` is the base URL of the check; by default, this page's origin. */
  constructor({ id, token, client, began, kind = "checks" }, server = location.origin) {
    this.#path = new URL(`/v1/${kind}/${encodeURIComponent(id)}/frames`, server);
    this.#headers = { Authorization: `Bearer ${token}`, "Content-Type": "image/jpeg", "Mien-Client": client };
    // A reload resets the page's clock, but the check's clock continues and never goes below zero.
    this.#clockOffset = Math.max(performance.timeOrigin - began, -performance.now());
    this.#number = Math.floor((this.#clockOffset + performance.now()) / millisecondsPerNumber);
  }

  /**
   * Sends one frame and returns the step in the server's response. Up to `window` frames may be under way; the server
   * evaluates them in the order of the calls, and waits for one that is sent again under its number.
   */
  async send({ picture, capturedAt }) {
    this.#number += 1;
    const headers = {
      ...this.#headers,
      "Mien-Captured-At": (this.#clockOffset + capturedAt).toFixed(1),
      "Mien-Frame": String(this.#number),
    };
    const { document, reply } = await this.#exchangeFrame({ headers, body: picture });
    this.window = Math.max(1, Math.min(longestWindow, Number(reply.headers.get("Mien-Frame-Window")) || 1));
    return document;
  }

  async #exchangeFrame(options) {
    const began = performance.now();
    for (let tries = 1; ; tries += 1) {
      const copies = Array.from({ length: tries > 1 ? copiesOfRetry : 1 }, () => exchange(this.#path, options));
      try {
        return await Promise.any(copies);
      } catch ({ errors: [error] }) {
        const mayRetry = tries < maxAttempts && performance.now() - began < longestRetry;
        if (error.code !== "frame-in-flight" || !mayRetry) throw error;
      }
    }
  }
}

/** Declines the current light task, which the server replaces with one of at least the same strength; returns the step. */
export function declineTask({ id, token, client }, server = location.origin) {
  const path = new URL(`/v1/checks/${encodeURIComponent(id)}/decline`, server);
  return request(path, { headers: { Authorization: `Bearer ${token}`, "Mien-Client": client } });
}

async function request(path, options) {
  return (await exchange(path, options)).document;
}

/** Sends a request and returns the response and its JSON document; throws a `Problem` or `Unreachable`. */
async function exchange(path, { method = "POST", headers, body }) {
  let reply;
  try {
    reply = await fetch(path, {
      method, headers, body, cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(timeoutMilliseconds),
    });
  } catch (error) {
    throw new Unreachable(path, { cause: error });
  }
  if (reply.status === 204) return { document: null, reply };
  let document;
  try {
    document = await reply.json();
  } catch (error) {
    throw new Unreachable(path, { cause: error }); // a proxy's error page or a truncated response
  }
  if (reply.ok) return { document, reply };
  if (!document.code) throw new Unreachable(path);
  const retryAfter = Number(reply.headers.get("Retry-After"));
  throw new Problem(document.code, { step: document.step, retryAfter: retryAfter > 0 ? retryAfter : 1 });
}
