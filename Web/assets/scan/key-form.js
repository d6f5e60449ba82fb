// Authentication form for servers that require it: sign-in if available, or an API key.

import { html } from "../core/dom.js";
import { hasAccounts, signInForm } from "../page/account.js";
import { useKey } from "./api.js";
import { field } from "./components.js";

/** Builds the form; calls `then` after a sign-in or once a key is entered. */
export function keyForm(texts, then) {
  const input = html("input", { type: "password", autocomplete: "off", required: true });
  const form = html("form", { class: "key" }, field("key", texts.text("scan.key"), input),
    html("button", { class: "button", type: "submit" }, texts.text("scan.key.use")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    useKey(input.value.trim());
    then();
  });
  if (!hasAccounts()) return form;
  return html("div", {}, signInForm(texts, () => {
    useKey("");
    then();
  }), html("details", { class: "other-key" }, html("summary", {}, texts.text("account.key")), form));
}
