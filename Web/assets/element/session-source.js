// Source of the element's session: an ID and a token, or a function that asks the integrator's backend.

import { chooseTasks, withClient } from "../core/session-client.js";

/** Error for a missing or incomplete session. */
export class SessionTrouble extends Error {
  trouble = "session";
}

export class SessionSource {
  #read;
  #given = null;

  /** `read()` returns the element's current `{ session, sessionId, sessionToken, server, request }`. */
  constructor(read) {
    this.#read = read;
  }

  /** `true` if another session can be requested after this one. */
  get renewable() {
    return typeof this.#read().session === "function";
  }

  async create(signal, abilities) {
    const { session, sessionId, sessionToken, server, request } = this.#read();
    if (typeof session === "function") return withClient(await ask(session, { ...request, abilities, signal }));
    if (!sessionId || !sessionToken) throw new SessionTrouble("mien-liveness: no session id and token");
    // Reuses the client for the same check: the server accepts no other client for it.
    if (this.#given?.id !== sessionId || this.#given?.token !== sessionToken) {
      const given = { id: sessionId, token: sessionToken };
      if (request.tasks) await choose(request.tasks, given, server);
      this.#given = withClient(given);
    }
    return this.#given;
  }
}

/** Chooses the tasks of a given session. One that was created with other tasks is a mistake of the page. */
async function choose(tasks, given, server) {
  try {
    await chooseTasks(given, tasks, server);
  } catch (error) {
    if (!["forbidden", "bad-value", "unknown-key"].includes(error.code)) throw error;
    console.error("mien-liveness: the session was created with other tasks than those of the element");
    throw new SessionTrouble("mien-liveness: the server refused the tasks", { cause: error });
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
