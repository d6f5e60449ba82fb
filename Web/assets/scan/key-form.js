// Where a server asks everybody who they are: by signing in, where somebody can, or by a key.

import { html } from "../core/build.js";
import { offersSignIn, signInForm } from "../page/account.js";
import { useKey } from "./api.js";
import { field } from "./parts.js";

/** Lets somebody sign in, or takes a key, and goes on with `then`. */
export function keyForm(texts, then) {
  const input = html("input", { type: "password", autocomplete: "off", required: true });
  const form = html("form", { class: "key" }, field("key", texts.text("scan.key"), input),
    html("button", { class: "button", type: "submit" }, texts.text("scan.key.use")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    useKey(input.value.trim());
    then();
  });
  if (!offersSignIn()) return form;
  return html("div", {}, signInForm(texts, () => {
    useKey("");
    then();
  }), html("details", { class: "other-key" }, html("summary", {}, texts.text("account.key")), form));
}
