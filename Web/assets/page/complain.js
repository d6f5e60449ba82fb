// Says what went wrong, to be seen and heard.

import { html } from "../core/build.js";

/** Shows these words in the page's place for troubles, which is made below its title where there is none. */
export function complain(words) {
  let place = document.getElementById("wrong");
  if (!place) {
    place = html("div", { id: "wrong", role: "alert" });
    document.getElementById("title").after(place);
  }
  place.replaceChildren(html("p", { class: "wrong" }, words));
  place.scrollIntoView({ block: "nearest" });
}
