// Credentials of the check: its ID and token, read from the URL fragment and preserved across reloads of this tab.

import { withClient } from "../core/session-client.js";

const kept = "mien.check";

/**
 * Returns the check this page was opened for, or `null`. Removes the token from the address bar and the history entry,
 * and stores the check for this tab together with the random client ID and clock origin that identify the page to the
 * server as the same client.
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
    // Storage is disabled: a reload loses the check.
  }
  return check;
}

/** Stores that the person agreed to the comparison of the face, so that a reload does not ask again. */
export function rememberAgreement(check) {
  try {
    sessionStorage.setItem(kept, JSON.stringify({ ...check, agreed: true }));
  } catch {
    // Storage is disabled: a reload loses the check.
  }
}

/** Removes the stored check once it is over. */
export function forgetCheck() {
  try {
    sessionStorage.removeItem(kept);
  } catch {
    // Storage is disabled: nothing was stored.
  }
}

/** Returns the stored check after a reload or back/forward navigation; a new visit starts over. */
function recall() {
  if (!["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type)) return null;
  try {
    return JSON.parse(sessionStorage.getItem(kept));
  } catch {
    return null;
  }
}
