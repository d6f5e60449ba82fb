// Check of the signature over a result, with the keys that this server publishes.

import { html } from "../core/dom.js";

/** Builds the line that says whether the signature is valid; it is filled in as soon as that is known. */
export function signatureLine(check, texts) {
  const line = html("p", { class: "signature", "data-signature": "pending" });
  verify(check).then((found) => {
    line.dataset.signature = found;
    line.textContent = texts.text(`console.signature.${found}`);
  });
  return line;
}

/** Resolves to `valid`, `invalid`, or `unchecked` if this browser or the server cannot check it now. */
async function verify({ id, state, signed }) {
  // Browsers offer cryptography only over HTTPS and on the same computer.
  if (!globalThis.crypto?.subtle) return "unchecked";
  try {
    const [head, body, signature, ...more] = signed.split(".");
    const { alg, kid } = JSON.parse(text(head));
    const claims = JSON.parse(text(body));
    if (more.length > 0 || alg !== "ES256" || claims.sub !== id || claims.outcome !== state) return "invalid";
    const keys = await published(id);
    if (keys === null) return "unchecked";
    const found = keys.find((key) => key.kid === kid);
    if (!found) return "invalid";
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const key = await crypto.subtle.importKey("jwk", { kty: found.kty, crv: found.crv, x: found.x, y: found.y }, algorithm, false, ["verify"]);
    const isValid = await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, bytes(signature), new TextEncoder().encode(`${head}.${body}`));
    return isValid ? "valid" : "invalid";
  } catch {
    return "invalid";
  }
}

/** Returns the keys of the realm that a check's ID belongs to; `null` if the server does not answer. */
async function published(id) {
  const isSandbox = id.startsWith("chktest_") || /^[0-9a-f]{8}-[0-9a-f]{4}-8/.test(id);
  try {
    const reply = await fetch(isSandbox ? "/.well-known/jwks-sandbox.json" : "/.well-known/jwks.json", { credentials: "omit" });
    return reply.ok ? (await reply.json()).keys : null;
  } catch {
    return null;
  }
}

function bytes(base64url) {
  return Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

function text(base64url) {
  return new TextDecoder().decode(bytes(base64url));
}
