// Style sheets of the element, fetched as text and adopted: this needs no `style-src` in the policy of the host page.

import { loadFile } from "../core/files.js";

const whenDark = "(prefers-color-scheme: dark)";
let texts = null;

const unit = ":host { --unit: max(1rem, 16px); }";

/** Replaces `rem` with the element's own unit: the host page may have set its `rem` to 10 pixels. */
function ownUnit(css) {
  return css.replace(/(?<![\w.-])(\d*\.?\d+)rem\b/g, "calc($1 * var(--unit))");
}

async function load(name) {
  return ownUnit(await loadFile(`style/${name}.css`));
}

/** Returns the style sheets as text, fetched once for all elements. */
export function loadSheets() {
  const names = ["tokens", "dark", "base", "screens", "stage", "full-screen", "element"];
  texts ??= Promise.all(names.map(load)).catch((error) => {
    texts = null; // the next element tries again
    throw error;
  });
  return texts;
}

/**
 * Returns the style sheets for a scheme (`light`, `dark`, or anything else for the device's preference) and a brand's
 * rules.
 */
export function sheetsFor([tokens, dark, ...rest], scheme, brand) {
  const media = { light: "not all", dark: "all" }[scheme] ?? whenDark;
  const sheets = [sheet(unit), sheet(tokens), sheet(dark, media)];
  if (brand) sheets.push(sheet(brand.light), sheet(brand.dark, media));
  return [...sheets, ...rest.map((css) => sheet(css))];
}

function sheet(css, media = "") {
  const made = new CSSStyleSheet({ media });
  made.replaceSync(css);
  return made;
}
