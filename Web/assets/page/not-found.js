// The page shown for addresses that do not exist.

import { loadPageTexts, showPage } from "./language.js";

const texts = await loadPageTexts();
document.title = `${texts.text("not-found.title")} · Mien`;
showPage();
