// The page for addresses at which there is nothing.

import { loadPageTexts, showPage } from "./language.js";

const texts = await loadPageTexts();
document.title = `${texts.text("not-found.title")} · Mien`;
showPage();
