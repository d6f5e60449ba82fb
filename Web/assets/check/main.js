// The check page: shows the screens in its main element, for the check named in the URL or for a demo check.

import { buildScreens } from "../core/check-template.js";
import { html } from "../core/dom.js";
import { Flow } from "../core/check-controller.js";
import { FaceMatch } from "../core/face-match.js";
import { createDemoCheck, pageOf, withClient } from "../core/session-client.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { AutomaticReturn } from "./automatic-return.js";
import { forgetCheck, givenCheck, rememberAgreement } from "./credentials.js";
import { DemoMatch } from "./demo-match.js";
import { HandOver } from "./hand-over.js";
import { ReferencePicture, base64 } from "./reference-picture.js";

/** States after which a check has no more attempts. */
const verdicts = ["passed", "failed", "timed-out"];

const given = await givenCheck();
const leave = html("a", { class: "button quiet", href: "/", id: "leave", "data-text": "ending.leave" });
document.getElementById("main").append(...buildScreens({ leave }));
const choice = given ? null : new ReferencePicture(() => tellMatch(choice.picture !== null));
if (choice) {
  document.getElementById("able").after(choice.element);
  document.getElementById("consent-lead").dataset.text = "consent.lead.own";
  document.querySelector('[data-text="consent.choice.text"]').dataset.text = "consent.choice.own";
}
const back = html("a", { class: "button", id: "back", rel: "noreferrer", hidden: true });
document.getElementById("ending-actions").append(back);
const automatic = new AutomaticReturn((sentence) => flow.announce(sentence));
document.getElementById("ending-actions").after(automatic.element);
const handOver = given ? new HandOver(given, (outcome) => flow.conclude(given, outcome)) : null;
if (handOver) document.getElementById("match").before(handOver.element);
const texts = await loadPageTexts({ isAlone: given !== null });
automatic.texts = texts;
if (choice) choice.texts = texts;
if (handOver) handOver.texts = texts;
/** Page data of the check from the server; `null` until it is loaded, and without a check. */
let page = null;

const match = given
  ? new FaceMatch(given, { agreed: given.agreed, remember: () => rememberAgreement(given) })
  : new DemoMatch(choice);
/** Frame that is shown beside the picture after the verdict. */
let live = null;

const source = {
  renewable: !given,
  match,
  create: async (_, abilities) => given ?? withClient(await createDemo(abilities)),
};

async function createDemo(abilities) {
  const referenceImage = choice.picture ? await base64(choice.picture) : null;
  try {
    return await createDemoCheck({ abilities, referenceImage });
  } catch (error) {
    if (referenceImage && ["not-assessed", "not-an-image", "model-unavailable"].includes(error.code)) match.refuse();
    throw error;
  }
}

const notice = {
  screen(name, heading) {
    document.body.dataset.screen = name;
    document.title = heading ? `${heading} · Mien` : texts.text(`title.${name}`);
    if (name === "welcome" || name === "permission") live = null;
    if (name !== "ending") handOver?.stop();
    automatic.end();
    scrollTo(0, 0);
  },
  step({ instruction, outline }, picture) {
    if (outline.length > 0 && (live === null || instruction === "hold-still")) live = picture;
  },
  /**
   * Adds the check's ID, and the pictures to the result of the comparison; shows the link to the start page only if
   * another attempt is possible, and the note only for a check opened by a link, unless a button leads back.
   */
  amend(ending, session) {
    leave.hidden = !ending.again || Boolean(page?.return_url);
    const note = given && !(page?.return_url && ending.key === "passed") ? ending.note : null;
    const pictures = ending.match && { ...ending.match, live, reference: choice?.picture ?? null };
    return { ...ending, match: pictures, note, reference: session?.id };
  },
  /** Notifies the embedding app with a `mien:check-ended` event once the check is over. */
  ending({ over, again, trouble }, session) {
    if (given) showNextSteps({ over, again, trouble });
    if (!over) return;
    forgetCheck();
    const detail = { id: session?.id ?? null, ...over };
    document.dispatchEvent(new CustomEvent("mien:check-ended", { bubbles: true, detail }));
  },
};

/** Loads the page data of the check, unless it is loaded. */
async function loadPage() {
  try {
    page ??= await pageOf(given);
  } catch {
    // The check itself shows why the server does not answer.
  }
}

/**
 * Shows what can follow an ending: the return to the integrator, automatic after a verdict, and a phone if this device
 * cannot run the check.
 */
async function showNextSteps({ over, again, trouble }) {
  await loadPage();
  if (document.body.dataset.screen !== "ending") return;
  handOver.offer(trouble, page?.public_url ?? location.origin);
  back.hidden = !page?.return_url;
  if (back.hidden) return;
  // The server checked that the operator allows the address. The verdict is sent to the backend only.
  back.href = `${page.return_url}${page.return_url.includes("?") ? "&" : "?"}check=${encodeURIComponent(given.id)}`;
  back.classList.toggle("quiet", Boolean(again));
  const host = `\u2068${new URL(page.return_url).host}\u2069`; // isolated from right-to-left text
  back.textContent = texts.text("ending.back", { host });
  // A phone that took over the check by its code does not return: the person continues on the device that showed the code.
  if (verdicts.includes(over?.state) && !again && !given.isHandedOver) automatic.start(back.href, host);
}

/** Says on the welcome screen that the pictures are also compared, if they are. */
function tellMatch(compares) {
  const fact = document.querySelectorAll("section[data-screen=welcome] .facts p")[1];
  fact.dataset.text = compares ? "welcome.2.match" : "welcome.2.text";
  fact.textContent = texts.text(fact.dataset.text);
}

const flow = new Flow({ root: document, texts, source, notice });
addEventListener("hashchange", () => location.reload()); // a new link opened in the same tab
addEventListener("pagehide", () => flow.leave());
// Restored from the back/forward cache: the camera is closed, so start over.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && ["permission", "check"].includes(document.body.dataset.screen)) flow.welcome();
});
showPage();
flow.welcome();
if (given) {
  loadPage();
  match.compares().then(tellMatch, () => {}); // an error is shown when the check begins
}
