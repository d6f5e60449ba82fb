// The Decode page: a GIF or message ID, the performance, the text, and the messages known to this device.

import { html } from "../core/dom.js";
import { Problem } from "../core/session-client.js";
import { look, pictureAddress, unlock } from "./api.js";
import { burst } from "./confetti.js";
import { endingScreen } from "./error-screens.js";
import { GIFPlayer } from "./gif-player.js";
import { count, keep, keepText, keyOf } from "./local-storage.js";
import { MessageList } from "./list.js";
import { keyIn, linkOf, numberIn } from "./message-id.js";
import { Flow, openPage } from "./page.js";
import { performingScreens } from "./performance-screen.js";
import { numberInFile } from "./message-id-reader.js";
import { button, numberLine, picture, screen, waiting } from "./screen.js";
import { row } from "./sprites.js";
import { offerTour } from "./tour.js";

const settling = 700;
const needsLink = "messages.problem.link-required";
const shortWait = 10; // seconds; shorter waits are not shown to the user
const tooLarge = ["image-too-large", "body-too-large"];
const unreadable = [...tooLarge, "not-an-image", "unsupported-media-type"];

const choose = screen("choose", "card", "messages.choose.title",
  html("p", { class: "lead", "data-text": "messages.choose.lead" }),
  html("div", { class: "drop", id: "drop" },
    html("label", { class: "button", for: "file" },
      html("span", { "data-text": "messages.choose.file" }),
      html("input", { class: "visually-hidden", type: "file", id: "file", accept: "image/*,video/*" })),
    html("p", { "data-text": "messages.choose.drop" })),
  html("form", { class: "typed", id: "typed", novalidate: true },
    html("label", { class: "label", for: "typed-number", "data-text": "messages.choose.number" }),
    html("div", {},
      html("input", {
        id: "typed-number", dir: "ltr", autocomplete: "off", autocapitalize: "characters", spellcheck: "false",
        maxlength: 300, placeholder: "XXXX-XXXX-XXXX-XXXX", "aria-describedby": "choose-wrong",
      }),
      html("button", { class: "button quiet", "data-text": "messages.choose.go" }))),
  html("p", { class: "wrong", id: "choose-wrong", role: "alert" }),
  html("h2", { id: "list-title", "data-text": "messages.list.title" }),
  html("ul", { class: "messages", id: "list", "aria-labelledby": "list-title" }));

const ready = screen("ready", "card", "messages.ready.title",
  html("p", { class: "lead", id: "ready-lead" }),
  html("p", { class: "warn", id: "gif-damaged", hidden: true, "data-text": "messages.ready.damaged" }),
  picture("gif", "picture"),
  html("ol", { class: "performed", id: "ready-steps", "data-text-label": "messages.clue.open" }),
  html("p", { class: "aside", id: "sides", "data-text": "messages.tour.relax" }),
  numberLine(),
  html("ul", { class: "chips", id: "limits", "data-text-label": "messages.limits" }),
  html("div", { class: "actions" },
    button("perform", "messages.ready.perform"), button("other", "messages.cancel", { quiet: true })));

const revealed = screen("revealed", "card centered", "messages.revealed.title",
  html("p", { class: "opened", id: "opened", dir: "auto" }),
  html("p", { class: "aside", id: "views" }),
  html("div", { class: "actions" }, button("finished", "messages.revealed.done")));

const looking = waiting("looking", "messages.looking", "shimmer picture");
const checking = waiting("checking", "messages.checking", "spinner");
const texts = await openPage("decode", choose, looking, ready, ...performingScreens(), checking, revealed,
  endingScreen());
const find = (id) => document.getElementById(id);
const list = new MessageList(find("list"), texts, (id) => open(id));
const flow = new Flow(texts, chooseAgain);
const shownGIF = new GIFPlayer(find("gif"), texts);
let message = null;
let key = null; // secret part of its link
let asked = 0; // counts requests; responses to earlier ones are ignored
let brought = null; // object URL of the GIF that the user provided

flow.on("file", (event) => {
  const [file] = event.target.files;
  event.target.value = ""; // so that the same file can be chosen again
  if (file) take(file);
}, "change");
flow.on("typed", (event) => {
  event.preventDefault();
  typed(find("typed-number").value);
}, "submit");
flow.on("perform", perform);
flow.on("other", chooseAgain);
flow.on("finished", chooseAgain);
addEventListener("paste", (event) => {
  if (flow.current !== "choose") return;
  const [file] = event.clipboardData.files;
  if (file) take(file);
  else if (!event.target.closest?.("input")) typed(event.clipboardData.getData("text"));
});
addEventListener("dragover", (event) => {
  event.preventDefault(); // a file dropped outside the field must not replace the page
  find("drop").toggleAttribute("data-over", true);
});
addEventListener("dragleave", () => find("drop").removeAttribute("data-over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  find("drop").removeAttribute("data-over");
  const [file] = event.dataTransfer.files;
  if (flow.current !== "choose") return;
  if (file) take(file);
  else typed(event.dataTransfer.getData("text"));
});
addEventListener("hashchange", fromAddress);
if (!fromAddress()) {
  flow.show("choose", { focus: false });
  list.show();
}
offerTour(texts);

function fromAddress() {
  const text = fragment();
  const number = numberIn(text);
  if (number) open(number, null, keyIn(text));
  return number !== null;
}

/** Returns the decoded URL fragment, or the raw one if it is malformed. */
function fragment() {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function chooseAgain() {
  flow.performing.stop();
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  find("opened").textContent = "";
  find("typed-number").value = "";
  wrong("");
  flow.show("choose");
  list.show();
}

function wrong(key) {
  find("choose-wrong").textContent = key && texts.text(key);
}

function typed(text) {
  const number = numberIn(text);
  if (number) open(number, null, keyIn(text));
  else wrong("messages.choose.no-number");
}

/** Reads a file that was chosen, dropped or pasted. */
async function take(file) {
  asked += 1;
  const mine = asked;
  wrong("");
  flow.show("looking");
  try {
    const { number, gif, isDamaged, wrong: why } = await numberInFile(file);
    if (mine !== asked) return;
    if (number) return await open(number, gif, null, isDamaged);
    flow.show("choose", { focus: false });
    wrong(`messages.choose.${why}`);
  } catch (error) {
    if (mine !== asked) return;
    // The server rejects some files that the browser accepts as images.
    if (error instanceof Problem && unreadable.includes(error.code)) {
      flow.show("choose", { focus: false });
      return wrong(`messages.choose.${tooLarge.includes(error.code) ? "too-large" : "not-a-gif"}`);
    }
    flow.endWithError(error, () => take(file));
  }
}

/**
 * Loads a message's state and shows its GIF, or the reason why it cannot be opened. `gif` is the GIF if the user
 * provided one: it may show the sender's own avatar, which the server does not store. `linkKey` is the secret part of
 * the message's link, if the user opened that. `isDamaged` if the GIF cannot be shown.
 */
async function open(id, gif = null, linkKey = null, isDamaged = false) {
  asked += 1;
  const mine = asked;
  flow.performing.stop();
  wrong("");
  flow.show("looking");
  let found;
  try {
    found = await look(id);
  } catch (error) {
    if (mine === asked) flow.endWithError(error, () => open(id, gif, linkKey, isDamaged));
    return;
  }
  if (mine !== asked) return;
  message = found;
  keep(message.id, linkKey ? { key: linkKey } : {});
  key = linkKey ?? keyOf(message.id);
  history.replaceState(null, "", `#${linkOf(message.id, key)}`); // a language change reloads the page
  if (message.state !== "ready") return refuse(message, () => open(id, gif, linkKey, isDamaged));
  if (message.requires_link && !key) return flow.end({ key: needsLink, tone: "wait", again: false }, chooseAgain);
  if (brought) URL.revokeObjectURL(brought);
  brought = gif && URL.createObjectURL(gif);
  const { mode, steps } = message;
  const shown = mode === "open";
  const words = texts.text(shown ? "messages.gif.shows" : "messages.gif.idle");
  shownGIF.show(brought ?? pictureAddress(message.id), words);
  find("gif-damaged").hidden = !isDamaged;
  find("ready-lead").textContent = texts.text(`messages.ready.${shown ? "open" : "secret"}`, { count: steps });
  find("ready-steps").replaceChildren(...row(message.avatar, message.expressions ?? [], texts));
  find("ready-steps").hidden = !message.expressions;
  find("number").textContent = message.id;
  find("limits").replaceChildren(...limits(message).map((words) => html("li", {}, words)));
  flow.show("ready");
}

/** Returns how often and how long the message can still be opened, in words. */
function limits({ attempts_left: attempts, views_left: views, expires_at: expires }) {
  const time = new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(expires));
  return [
    texts.text("messages.attempts-left", { number: attempts }),
    ...(views === undefined ? [] : [texts.text("messages.revealed.views", { number: views })]),
    texts.text("messages.limits.expires", { time }),
  ];
}

async function perform() {
  const { id, avatar, expressions } = message;
  const end = await flow.perform({
    create: () => begin(id), avatar, again: perform, refused: waits, sequence: expressions ?? null, title: "messages.clue.secret",
  });
  if (!end) return;
  const { step } = end;
  // Shows all places filled for a moment before the result.
  await pause(settling);
  if (flow.current !== "perform") return;
  flow.show("checking");
  await pause(settling);
  if (flow.current !== "checking") return;
  if (step.state === "opened") reveal(step);
  else if (step.state === "wrong") missed(step);
  else refuse({ ...step, id }, () => open(id));
}

/** Starts a performance, after the short wait that follows the first wrong attempts if there is one. */
async function begin(id) {
  try {
    return await unlock(id, key);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "message-locked" || error.retryAfter > shortWait) throw error;
    await pause(error.retryAfter * 1000);
    if (flow.current !== "permission") throw error; // stopped in the meantime
    return await unlock(id, key);
  }
}

/** Shows a longer wait; returns `false` for every other error. */
function waits(error) {
  if (!(error instanceof Problem) || error.code !== "message-locked" || error.retryAfter <= 1) return false;
  refuse({ state: "waiting", waits_until: Date.now() + error.retryAfter * 1000 }, perform);
  return true;
}

function reveal({ text, views_left: left }) {
  count("opened");
  keep(message.id, { opened: true });
  if (left === undefined) keepText(message.id, text);
  find("opened").textContent = text;
  find("views").textContent = left === undefined ? ""
    : texts.text(left === 0 ? "messages.revealed.last" : "messages.revealed.views", { number: left });
  flow.show("revealed");
  flow.performing.announcer.interrupt(text);
  burst(find("opened"));
}

function missed({ performed, attempts_left: left }) {
  count("wrong");
  flow.end({
    key: "messages.wrong", tone: "bad", again: left !== 0, performed: row(message.avatar, performed, texts),
    note: left === undefined ? "" : texts.text("messages.attempts-left", { number: left }),
  }, perform);
}

/**
 * Shows why the message cannot be opened: `waiting` or `locked` with a time, `read`, `expired`, `deleted`, `gone`,
 * `suspect`.
 */
function refuse({ state, waits_until: until }, again) {
  if (until) {
    const timeStyle = new Date(until) - Date.now() < 300_000 ? "medium" : "short"; // includes seconds if soon
    const format = new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium", timeStyle });
    const time = format.format(new Date(until));
    return flow.end({ key: "messages.state.waiting", tone: "late", again: true, values: { time } }, again);
  }
  if (state === "suspect") return flow.end({ key: "messages.state.suspect", tone: "bad", again: true }, perform);
  const key = texts.has(`messages.state.${state}.title`) ? `messages.state.${state}` : "messages.state.gone";
  flow.end({ key, tone: "late", again: false }, again);
}

function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
