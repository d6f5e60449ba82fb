// Where a server asks everybody for a key.

import { html } from "../core/build.js";
import { useKey } from "./api.js";
import { field } from "./parts.js";

/** Takes a key and goes on with `then`. */
export function keyForm(texts, then) {
  const input = html("input", { type: "password", autocomplete: "off", required: true });
  const form = html("form", { class: "key" }, field("key", texts.text("scan.key"), input),
    html("button", { class: "button", type: "submit" }, texts.text("scan.key.use")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    useKey(input.value.trim());
    then();
  });
  return form;
}
