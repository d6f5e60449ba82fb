// The Encode page: write, perform, wait for the GIF, share it.

import { html, svg } from "../core/dom.js";
import { Problem } from "../core/session-client.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { erase, lock, ownPicture, picture, record } from "./api.js";
import { burst } from "./confetti.js";
import { countOf, mayBeLocked, most } from "./character-counter.js";
import { endingScreen } from "./error-screens.js";
import { GIFPlayer } from "./gif-player.js";
import { choices, count, draft, keep, keepDraft } from "./local-storage.js";
import { chosenLook, chosenOptions, draftOf, fillOptions, optionFields, takeUpDraft } from "./options.js";
import { ownFile } from "./custom-avatar.js";
import { linkOf } from "./message-id.js";
import { Flow, openPage } from "./page.js";
import { performanceErrorCode, performingScreens } from "./performance-screen.js";
import { button, numberLine, picture as image, screen, waiting } from "./screen.js";
import { counted, row, sprite } from "./sprites.js";
import { offerTour } from "./tour.js";

const write = screen("write", "card", "messages.write.title",
  html("p", { class: "lead", "data-text": "messages.write.lead" }),
  html("p", { class: "aside", "data-text": "messages.write.counted" }),
  html("form", { id: "form", novalidate: true },
    html("label", { class: "label", for: "text", "data-text": "messages.write.field" }),
    html("textarea", { id: "text", rows: 4, dir: "auto", "aria-describedby": "count", autocomplete: "off" }),
    html("p", { class: "counter", id: "count" }),
    html("p", { class: "visually-hidden", id: "count-announcement", "aria-live": "polite" }),
    optionFields(),
    html("div", { class: "actions" },
      html("button", { class: "button", id: "lock", type: "submit", disabled: true },
        svg("svg", { viewBox: "0 0 20 20", class: "sign", "aria-hidden": "true" },
          svg("path", { d: "M4 9h12v8H4zM6.5 9V6a3.5 3.5 0 0 1 7 0v3" })),
        html("span", { "data-text": "messages.write.lock" })))));

const done = screen("done", "card", "messages.done.title",
  html("p", { class: "lead", id: "done-lead" }),
  image("gif", "picture"),
  numberLine(),
  html("ol", { class: "performed", id: "performed", "data-text-label": "messages.performed" }),
  html("div", { class: "actions" },
    button("share", "messages.done.share", { hidden: true }),
    html("a", { class: "button", id: "download", "data-text": "messages.done.download" }),
    button("copy", "messages.done.copy", { quiet: true }),
    button("revoke", "messages.list.erase", { quiet: true }),
    button("another", "messages.done.another", { quiet: true })),
  html("p", { class: "aside", id: "link-only", "data-text": "messages.done.link", hidden: true }),
  html("p", { class: "aside", id: "copied", role: "status" }));

const generating = waiting("generating", "messages.generating", "shimmer picture");
const texts = await openPage("encode", write, ...performingScreens(), generating, done, endingScreen());
const find = (id) => document.getElementById(id);
const field = find("text");
const flow = new Flow(texts, () => {
  flow.performing.stop();
  flow.show("write");
});
const player = new GIFPlayer(find("gif"), texts);
let address = "";
let locked = null; // the message on the last screen
let file = null;
let drawn = null; // object URL of the file

field.addEventListener("input", showCount);
flow.on("form", (event) => {
  event.preventDefault();
  if (mayBeLocked(field.value)) start();
}, "submit");
flow.on("another", () => {
  find("form").reset();
  showCount();
  flow.show("write");
  field.focus();
});
flow.on("copy", copy);
flow.on("revoke", revoke);
flow.on("share", share);
write.querySelector(".lead").before(html("p", { class: "avatars-line", "aria-hidden": "true" },
  counted.map((name) => sprite(choices().avatar, name))));
fillOptions(texts.locale);
takeUpDraft(find("form"), draft());
showCount();
addEventListener("pagehide", () => keepDraft(field.value && flow.current !== "done" ? draftOf(find("form")) : null));
flow.show("write", { focus: false });
offerTour(texts);

function showCount() {
  const number = countOf(field.value);
  const words = texts.text("messages.write.count", { number, most });
  find("count").textContent = words;
  find("count").toggleAttribute("data-over", number > most);
  field.setAttribute("aria-invalid", String(number > most));
  // Announced only near the limit, not for every character.
  find("count-announcement").textContent = number > most ? texts.text("messages.write.too-long", { number: number - most })
    : number >= most - 10 ? words : "";
  find("lock").disabled = !mayBeLocked(field.value);
}

async function start() {
  const { avatar } = choices();
  const steps = Number(find("steps").value);
  const recorded = await flow.perform({ create: () => record(steps), avatar, again: start });
  if (recorded) await finish(recorded);
}

/** Locks the text with the recorded sequence. */
async function finish({ session, step }) {
  const { avatar } = choices();
  const options = chosenOptions();
  flow.show("generating");
  try {
    const message = await lock({
      text: field.value, recording: { id: session.id, token: session.token }, avatar: avatar === "own" ? "bear" : avatar,
      ...options,
    });
    keep(message.id, { sent: true, receipt: message.receipt, key: message.link_key ?? null, at: Date.now() });
    count("locked");
    await hand(message, step.performed, options.mode === "secret", avatar);
  } catch (error) {
    // The recording stays valid if there was no response; if it was rejected, it has to be performed again.
    const told = error instanceof Problem ? new Problem(performanceErrorCode(error.code)) : error;
    flow.endWithError(told, error.trouble ? () => finish({ session, step }) : start);
  }
}

async function hand(message, performed, secret, avatar) {
  locked = message;
  address = new URL(`/decode#${linkOf(message.id, message.link_key)}`, location.origin).href;
  const look = chosenLook();
  const drawing = avatar === "own" ? ownPicture(message.id, message.receipt, ownFile(), look) : picture(message.id, look);
  const bytes = await drawing.catch(() => null); // the message is locked; its GIF can be downloaded later
  file = bytes && new File([bytes], `mien-${message.id}.gif`, { type: "image/gif" });
  if (drawn) URL.revokeObjectURL(drawn);
  drawn = file && URL.createObjectURL(file);
  player.show(drawn, texts.text(secret ? "messages.gif.idle" : "messages.gif.shows"));
  find("download").hidden = !file;
  if (file) Object.assign(find("download"), { href: drawn, download: file.name });
  find("share").hidden = !(file && navigator.canShare?.({ files: [file] }));
  find("done-lead").textContent = texts.text(secret ? "messages.done.secret" : "messages.done.open");
  find("number").textContent = message.id;
  find("link-only").hidden = !message.link_key;
  find("performed").replaceChildren(...row(avatar, performed, texts));
  find("copied").textContent = "";
  flow.show("done");
  burst(find("done-title"));
}

/** Deletes the message that was just locked, after a confirmation. */
async function revoke() {
  const words = ["messages.list.erase.sure", "messages.list.erase", "messages.list.keep"].map((key) => texts.text(key));
  if (!(await confirmAction(...words))) return;
  try {
    await erase(locked.id, locked.receipt);
    keep(locked.id, { receipt: null });
    find("another").click();
  } catch (error) {
    flow.endWithError(error, () => flow.show("done"));
  }
}

async function share() {
  try {
    await navigator.share({ files: [file], title: "Mien", text: address });
  } catch (error) {
    if (error.name !== "AbortError") find("copied").textContent = texts.text("messages.done.not-shared");
  }
}

async function copy() {
  try {
    await navigator.clipboard.writeText(address);
    find("copied").textContent = texts.text("messages.done.copied");
  } catch {
    find("copied").textContent = address; // for manual copying
  }
}
