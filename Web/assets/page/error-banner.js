// Shows and announces an error message.

import { html } from "../core/dom.js";

/** Shows the text in the page's error area, which is created below the title if it does not exist. */
export function showError(words) {
  let place = document.getElementById("wrong");
  if (!place) {
    place = html("div", { id: "wrong", role: "alert" });
    document.getElementById("title").after(place);
  }
  place.replaceChildren(html("p", { class: "wrong" }, words));
  place.scrollIntoView({ block: "nearest" });
}
