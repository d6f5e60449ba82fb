// The server's own credential for a photo: who states that it was received, and the file with the statement.

import { html } from "../core/dom.js";
import { section } from "./components.js";

/** Builds the section; `null` if the server did not sign the photo. */
export function receptionSection(reception, texts) {
  if (!reception) return null;
  const name = reception.signer.common_name ?? reception.signer.issuer ?? texts.text("verify.provenance.nameless");
  return section("reception", texts.text("verify.reception"),
    html("p", { dir: "auto" }, texts.text("verify.reception.signed", { name })),
    html("p", {}, html("a", { href: reception.url, download: "" }, texts.text("verify.reception.download"))));
}
