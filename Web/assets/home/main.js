// Home page: its lists, and the status badge.

import { loadPageTexts, showPage } from "../page/language.js";
import { renderPoints } from "./features.js";
import { watchStatus } from "../page/health-badge.js";

const texts = await loadPageTexts();
renderPoints(document.getElementById("does"), texts.list("home.does"), "M4 10.5l4 4 8-9");
renderPoints(document.getElementById("not"), texts.list("home.not"), "M4 10h12");
document.title = texts.text("home.page-title");
showPage();
watchStatus(document.getElementById("status"), document.getElementById("status-text"), texts);
