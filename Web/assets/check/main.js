// The check page: shows the screens in its main element, for the check named in the URL or for a demo check.

import { buildScreens } from "../core/check-template.js";
import { html } from "../core/dom.js";
import { Flow } from "../core/check-controller.js";
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
  /**
   * Adds the check's ID; shows the link to the start page only if another attempt is possible, and the note only for a
   * check opened by a link.
   */
  amend(ending, session) {
    leave.hidden = !ending.again;
    return { ...ending, note: given ? ending.note : null, reference: session?.id };
  },
  /** Notifies the embedding app with a `mien:check-ended` event once the check is over. */
  ending({ over }, session) {
    if (!over) return;
    forgetCheck();
    const detail = { id: session?.id ?? null, ...over };
    document.dispatchEvent(new CustomEvent("mien:check-ended", { bubbles: true, detail }));
  },
};

const flow = new Flow({ root: document, texts, source, notice });
addEventListener("hashchange", () => location.reload()); // a new link opened in the same tab
addEventListener("pagehide", () => flow.leave());
// Restored from the back/forward cache: the camera is closed, so start over.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && ["permission", "check"].includes(document.body.dataset.screen)) flow.welcome();
});
showPage();
flow.welcome();
