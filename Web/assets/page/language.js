// Language of this server's pages: the stored one, otherwise the browser's; and the list to change it.

import { html, svg } from "../core/dom.js";
import { fillLanguages } from "../core/language-list.js";
import { Texts } from "../core/texts.js";
import { addNavigation } from "./site-navigation.js";

const remembered = "mien.language";

/**
 * Loads the page's texts, and fills the page and its language lists. `isAlone` is `true` for a page to which another service
 * sent the person; it has no navigation to the other areas of this server.
 */
export async function loadPageTexts({ isAlone = false } = {}) {
  if (!isAlone) addNavigation();
  const texts = await Texts.load([recall(), ...navigator.languages]);
  const { documentElement } = document;
  documentElement.lang = texts.language;
  documentElement.dir = texts.direction;
  texts.fill(document);
  for (const list of document.querySelectorAll("select[data-language]")) offer(list, texts.language);
  return texts;
}

/** Makes the page visible; called after it has been filled. */
export function showPage() {
  document.documentElement.dataset.ready = "";
}

function offer(list, current) {
  fillLanguages(list, current);
  // Narrow phones show a globe instead of the language's name.
  const place = html("span", { class: "language" });
  list.replaceWith(place);
  place.append(list, svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: "M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18" }), svg("circle", { cx: 12, cy: 12, r: 9 })));
  list.addEventListener("change", () => {
    try {
      localStorage.setItem(remembered, list.value);
    } catch {
      return; // storage is disabled: the browser's language preferences apply
    }
    location.reload();
  });
}

function recall() {
  try {
    return localStorage.getItem(remembered);
  } catch {
    return null;
  }
}
