// Confirmation dialog for actions that lose data.

import { html } from "../core/dom.js";

/** Asks for confirmation; resolves to `true` for yes. Closing the dialog counts as no. */
export function confirmAction(question, yes, no) {
  return new Promise((resolve) => {
    const dialog = html("dialog", { class: "confirm-dialog", "aria-labelledby": "confirm-question" },
      html("p", { id: "confirm-question" }, question),
      html("div", { class: "actions" }, answer("no", no, "button quiet"), answer("yes", yes, "button grave")));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();

    function answer(name, words, look) {
      const made = html("button", { class: look, type: "button", id: `confirm-${name}` }, words);
      made.addEventListener("click", () => dialog.close(name));
      return made;
    }
  });
}
