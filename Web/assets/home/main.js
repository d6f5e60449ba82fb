// The front page: wording, the recipe with this server's own address, and the status badge.

import { loadTexts, showPage, text } from "../shared/texts.js";
import { renderPoints } from "./points.js";
import { renderRecipe } from "./recipe.js";
import { watchStatus } from "./status.js";

await loadTexts();
renderRecipe(document.getElementById("recipe"), location.origin);
renderPoints(document.getElementById("does"), "home.does", "M4 10.5l4 4 8-9");
renderPoints(document.getElementById("not"), "home.not", "M4 10h12");
document.title = text("home.page-title");
showPage();
watchStatus(document.getElementById("status"), document.getElementById("status-text"));
