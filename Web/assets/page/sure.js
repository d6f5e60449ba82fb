// The question before something is lost.

import { html } from "../core/build.js";

/** An answer that has to be given before something is lost; true when it is yes. Who closes it has said no. */
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
