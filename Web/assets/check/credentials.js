// Where the check's id and token come from, and how they outlive a reload of this tab.

import { withClient } from "../core/session-client.js";

const kept = "mien.check";

/**
 * The check that the page was opened for, or null. The token is taken out of the address bar and the history; the
 * tab remembers it, with the random id and the clock that tell the server that it is still the same client.
 */
export function givenCheck() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const id = fragment.get("id");
  const token = fragment.get("token");
  if (!id || !token) return recall();
  history.replaceState(null, "", location.pathname + location.search);
  const check = withClient({ id, token });
  try {
    sessionStorage.setItem(kept, JSON.stringify(check));
  } catch {
    // storage is switched off: a reload will lose the check
  }
  return check;
}

/** Forgets the check once it is over. */
export function forgetCheck() {
  try {
    sessionStorage.removeItem(kept);
  } catch {
    // nothing was kept
  }
}

/** Only a reload or the way back goes on with what the tab remembers; a fresh visit begins afresh. */
function recall() {
  if (!["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type)) return null;
  try {
    return JSON.parse(sessionStorage.getItem(kept));
  } catch {
    return null;
  }
}
