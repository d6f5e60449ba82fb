// The element's style sheets, fetched as text and adopted: that needs no `style-src` in the policy of the page around.

const folder = new URL("../style/", import.meta.url);
const whenDark = "(prefers-color-scheme: dark)";
let texts = null;

const unit = ":host { --unit: max(1rem, 16px); }";

/** Lengths count in the element's own unit: the page around it may have made its rem 10 pixels. */
function ownUnit(css) {
  return css.replace(/(?<![\w.-])(\d*\.?\d+)rem\b/g, "calc($1 * var(--unit))");
}

async function load(name) {
  const reply = await fetch(new URL(`${name}.css`, folder), { credentials: "omit" });
  if (!reply.ok) throw new Error(`styles: ${reply.status}`);
  return ownUnit(await reply.text());
}

/** The texts of the sheets, fetched once however many elements there are. */
export function loadSheets() {
  const names = ["tokens", "dark", "base", "screens", "stage", "element"];
  texts ??= Promise.all(names.map(load)).catch((error) => {
    texts = null; // the next element tries again
    throw error;
  });
  return texts;
}

/** The sheets for a scheme (`light`, `dark`, or anything else for what the device prefers) and a brand's rules. */
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
