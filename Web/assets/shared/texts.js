// The page's wording: one file per language, keyed by the server's stable codes.

const languages = ["en", "de"];
const remembered = "mien.language";
let table = {};
let language = languages[0];

/** Chooses a language, loads its texts and fills the page. */
export async function loadTexts() {
  language = chosenLanguage();
  const reply = await fetch(`/assets/texts/${language}.json`);
  if (!reply.ok) throw new Error(`texts: ${reply.status}`);
  table = await reply.json();
  document.documentElement.lang = language;
  fill(document);
  for (const button of document.querySelectorAll("[data-language]")) {
    button.lang = otherLanguage();
    button.addEventListener("click", switchLanguage);
  }
}

/** Makes the page visible once it has been filled. */
export function showPage() {
  document.documentElement.dataset.ready = "";
}

/** The text for a key with `{name}` places filled in; the key itself where no text exists, so that a gap is seen. */
export function text(key, values = {}) {
  const found = table[key] ?? key;
  return found.replace(/\{(\w+)\}/g, (place, name) => (name in values ? String(values[name]) : place));
}

/** Whether there is a text for a key. */
export function hasText(key) {
  return key in table;
}

/** Fills every element that names its text: `data-text` its content, `data-text-label` its accessible name. */
function fill(root) {
  for (const element of root.querySelectorAll("[data-text]")) element.textContent = text(element.dataset.text);
  for (const element of root.querySelectorAll("[data-text-label]")) {
    element.setAttribute("aria-label", text(element.dataset.textLabel));
  }
  const title = document.querySelector("title");
  if (document.documentElement.dataset.title) title.textContent = text(document.documentElement.dataset.title);
}

function chosenLanguage() {
  const wanted = [recall(), ...navigator.languages];
  for (const tag of wanted) {
    const primary = tag?.toLowerCase().split("-")[0];
    if (languages.includes(primary)) return primary;
  }
  return languages[0];
}

function otherLanguage() {
  return languages[(languages.indexOf(language) + 1) % languages.length];
}

function switchLanguage() {
  try {
    localStorage.setItem(remembered, otherLanguage());
  } catch {
    return; // storage is switched off: the browser's own language order decides
  }
  location.reload();
}

function recall() {
  try {
    return localStorage.getItem(remembered);
  } catch {
    return null;
  }
}
