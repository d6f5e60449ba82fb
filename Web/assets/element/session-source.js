// Where the element's session comes from: an id and a token, or a function that asks the integrator's backend.

import { withClient } from "../core/session-client.js";

/** There is no session to work with. */
export class SessionTrouble extends Error {
  trouble = "session";
}

export class SessionSource {
  #read;
  #given = null;

  /** `read()` gives the element's `{ session, sessionId, sessionToken, request }` of this moment. */
  constructor(read) {
    this.#read = read;
  }

  /** Whether another session can be had when this one is over. */
  get renewable() {
    return typeof this.#read().session === "function";
  }

  async create(signal, abilities) {
    const { session, sessionId, sessionToken, request } = this.#read();
    if (typeof session === "function") return withClient(await ask(session, { ...request, abilities, signal }));
    if (!sessionId || !sessionToken) throw new SessionTrouble("mien-liveness: no session id and token");
    // The same client as before, as long as it is the same check: the server lets nobody else go on with it.
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
