// Comparison of the face with a reference picture: whether to ask for consent, and the result. The server decides.

import { Problem, Unreachable, declineMatch, matchOf } from "./session-client.js";

const resultTimeout = 4_000;

/** Comparison of a check that was created with a reference picture, or without one. */
export class FaceMatch {
  #session;
  #server;
  #state = null;
  #agreed;
  #remember;

  /** `agreed` is `true` if the person has agreed before a reload; `remember` is called once the person agrees. */
  constructor(session, { server, agreed = false, remember = () => {} } = {}) {
    this.#session = session;
    this.#server = server;
    this.#agreed = agreed;
    this.#remember = remember;
  }

  /** `true` if the check compares the face. Throws a `Problem` or `Unreachable`. */
  async compares() {
    this.#state ??= (await matchOf(this.#session, this.#server)).state;
    return this.#state === "open";
  }

  /** `true` if the person must be asked for consent before the camera opens. Throws a `Problem` or `Unreachable`. */
  async mustAsk() {
    return !this.#agreed && this.compares();
  }

  agree() {
    this.#agreed = true;
    this.#remember();
  }

  async decline() {
    try {
      await declineMatch(this.#session, this.#server);
    } catch (error) {
      // The check has begun, in a page that the person agreed on.
      throw error.code === "forbidden" ? new Problem("second-client") : error;
    }
    this.#state = "declined";
  }

  /** Returns the result of a decided check; see `resultOf`. */
  result(session) {
    return resultOf(session, this.#server);
  }
}

/**
 * Returns the result of a decided check as `{ decision, reason }`, with the decision `unknown` if it cannot be loaded;
 * `null` if the check compares no faces.
 */
export async function resultOf(session, server) {
  const late = new Promise((done) => setTimeout(done, resultTimeout, null));
  try {
    const found = await Promise.race([matchOf(session, server), late]);
    if (found?.state === "off") return null;
    if (found?.state === "decided") return { decision: found.decision, reason: found.reason ?? null };
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Problem)) throw error;
  }
  return { decision: "unknown", reason: null };
}
