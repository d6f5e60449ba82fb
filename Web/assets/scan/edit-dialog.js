// Dialog to change a few values.

import { html } from "../core/dom.js";
import { button, field } from "./components.js";

/**
 * Asks for new values; resolves to `true` if they are to be saved.
 *
 * `name` is the prefix of the dialog's IDs, `fields` are `[id, words, input]`; the first field gets the focus.
 */
export function showEditDialog(texts, name, title, fields) {
  const dialog = html("dialog", { class: "confirm-dialog", "aria-labelledby": `${name}-title` },
    html("form", { method: "dialog" },
      html("h2", { id: `${name}-title` }, title),
      fields.map(([id, words, input]) => field(id, words, input)),
      html("div", { class: "actions" },
        button(`${name}-no`, texts.text("scan.keep"), () => dialog.close(""), "button quiet"),
        html("button", { class: "button", id: `${name}-yes`, type: "submit", value: "yes" }, texts.text("scan.save")))));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    });
  });
}
