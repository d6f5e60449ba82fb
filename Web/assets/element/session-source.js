// Source of the element's session: an ID and a token, or a function that asks the integrator's backend.

import { withClient } from "../core/session-client.js";

/** Error for a missing or incomplete session. */
export class SessionTrouble extends Error {
  trouble = "session";
}

export class SessionSource {
  #read;
  #given = null;

  /** `read()` returns the element's current `{ session, sessionId, sessionToken, request }`. */
  constructor(read) {
    this.#read = read;
  }

  /** `true` if another session can be requested after this one. */
  get renewable() {
    return typeof this.#read().session === "function";
  }

  async create(signal, abilities) {
    const { session, sessionId, sessionToken, request } = this.#read();
    if (typeof session === "function") return withClient(await ask(session, { ...request, abilities, signal }));
    if (!sessionId || !sessionToken) throw new SessionTrouble("mien-liveness: no session id and token");
    // Reuses the client for the same check: the server accepts no other client for it.
    if (this.#given?.id !== sessionId || this.#given?.token !== sessionToken) {
      this.#given = withClient({ id: sessionId, token: sessionToken });
    }
    return this.#given;
  }
}

async function ask(session, request) {
  let reply;
  try {
    reply = await session(request);
  } catch (error) {
    throw new SessionTrouble("mien-liveness: the session function failed", { cause: error });
  }
  const id = reply?.sessionId ?? reply?.id;
  const token = reply?.sessionToken ?? reply?.token;
  if (!id || !token) throw new SessionTrouble("mien-liveness: the session function gave no sessionId and sessionToken");
  return { id, token };
}
