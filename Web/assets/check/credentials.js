// Credentials of the check: its ID and token, read from the URL fragment and preserved across reloads of this tab.

import { Problem, tokenFor, withClient } from "../core/session-client.js";

const kept = "mien.check";

/** Returns the fragment of a link that is short enough for a QR code: the check's ID and the secret in its token (`jti`). */
export function shortFragment({ id, token }) {
  const [, claims] = token.split(".");
  return `${id}.${JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).jti}`;
}

/**
 * Returns the check this page was opened for, or `null`. Removes the token from the address bar and the history entry,
 * and stores the check for this tab together with the random client ID and clock origin that identify the page to the
 * server as the same client. `isHandedOver` is `true` on the phone that took the check over.
 */
export async function givenCheck() {
  const { id, token, isHandedOver = false } = await linked();
  if (!id || !token) return recall();
  history.replaceState(null, "", location.pathname + location.search);
  const check = withClient({ id, token, isHandedOver });
  try {
    sessionStorage.setItem(kept, JSON.stringify(check));
  } catch {
    // Storage is disabled: a reload loses the check.
  }
  return check;
}

/** Returns the ID and the token in the link, which has the secret of the token if it came from a QR code. */
async function linked() {
  const short = /^#([\w-]+)\.([\w-]+)$/.exec(location.hash);
  if (!short) {
    const fragment = new URLSearchParams(location.hash.slice(1));
    return { id: fragment.get("id"), token: fragment.get("token") };
  }
  const [, id, secret] = short;
  for (;;) {
    try {
      return { id, token: await tokenFor(id, secret), isHandedOver: true };
    } catch (error) {
      // The check then reports that the link is invalid, as it does for a wrong token.
      if (error instanceof Problem && !error.isPassing) return { id, token: secret };
      await new Promise((done) => setTimeout(done, 2_000));
    }
  }
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
