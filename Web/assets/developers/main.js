// Page for developers: the element with its code, first requests, the API reference, and the status badge.

import { watchStatus } from "../page/health-badge.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { showElement } from "./element-demo.js";
import { renderRecipe } from "./quick-start.js";
import { showReference } from "./reference.js";

const texts = await loadPageTexts();
document.title = `${texts.text("home.footer.nav")} · Mien`;
renderRecipe(document.getElementById("recipe"), location.origin, texts);
showElement(texts);
showPage();
watchStatus(document.getElementById("status"), document.getElementById("status-text"), texts);
await showReference(texts);
