// Language of this server's pages: the stored one, otherwise the browser's; and the list to change it.

import { fillLanguages } from "../core/language-list.js";
import { Texts } from "../core/texts.js";

const remembered = "mien.language";

/** Loads the page's texts, and fills the page and its language lists. */
export async function loadPageTexts() {
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
