// Confirmation dialog for actions that lose data.

import { html } from "../core/dom.js";

/** Asks for confirmation; resolves to `true` for yes. Closing the dialog counts as no. */
export function sure(question, yes, no) {
  return new Promise((resolve) => {
    const dialog = html("dialog", { class: "sure", "aria-labelledby": "sure-question" },
      html("p", { id: "sure-question" }, question),
      html("div", { class: "actions" }, answer("no", no, "button quiet"), answer("yes", yes, "button grave")));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();

    function answer(name, words, look) {
      const made = html("button", { class: look, type: "button", id: `sure-${name}` }, words);
      made.addEventListener("click", () => dialog.close(name));
      return made;
    }
  });
}
