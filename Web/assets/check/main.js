// The check page: the screens in its main part, with the check that its address names or one of its own.

import { buildScreens } from "../core/markup.js";
import { html } from "../core/build.js";
import { Flow } from "../core/flow.js";
import { createDemoCheck, withClient } from "../core/session-client.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { forgetCheck, givenCheck } from "./credentials.js";

const given = givenCheck();
const leave = html("a", { class: "button quiet", href: "/", id: "leave", "data-text": "ending.leave" });
document.getElementById("main").append(...buildScreens({ leave }));
const texts = await loadPageTexts();

const source = {
  renewable: !given,
  create: async (_, abilities) => given ?? withClient(await createDemoCheck(abilities)),
};

const notice = {
  screen(name, heading) {
    document.body.dataset.screen = name;
    document.title = heading ? `${heading} · Mien` : texts.text(`title.${name}`);
    scrollTo(0, 0);
  },
  /** Whoever was sent here goes back there; whoever came by themselves may look around. */
  amend(ending, session) {
    leave.hidden = !ending.again;
    return { ...ending, note: given ? ending.note : null, reference: session?.id };
  },
  /** Tells the app around the page, if it listens. */
  ending({ over }, session) {
    if (!over) return;
    forgetCheck();
    const detail = { id: session?.id ?? null, ...over };
    document.dispatchEvent(new CustomEvent("mien:check-over", { bubbles: true, detail }));
  },
};

const flow = new Flow({ root: document, texts, source, notice });
addEventListener("hashchange", () => location.reload()); // a new link in the same tab
addEventListener("pagehide", () => flow.leave());
// Back to a page that the browser has kept: its camera is closed.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && ["permission", "check"].includes(document.body.dataset.screen)) flow.welcome();
});
showPage();
flow.welcome();
