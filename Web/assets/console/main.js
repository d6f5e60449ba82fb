// Operator's console: tabs with the records of this server; the hash of the address names the tab and the record.

import { html } from "../core/dom.js";
import { isReadOnly, showAccount } from "../page/account.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { keyForm } from "../scan/key-form.js";
import { errorMessage } from "../scan/format.js";
import { captureList } from "./captures.js";
import { watchChanges } from "./changes.js";
import { checkList } from "./checks.js";
import { checkRecord } from "./check-record.js";
import { keyList } from "./keys.js";
import { messageList } from "./messages.js";
import { retentionView } from "./retention.js";
import { webhookList } from "./webhooks.js";

const main = document.getElementById("main");
const texts = await loadPageTexts();
await showAccount(texts);

// Verifiers read checks and photos; the other tabs are for operators.
const tabs = [
  { name: "checks", make: checkList, record: checkRecord },
  { name: "captures", make: captureList },
  { name: "messages", make: messageList, operators: true },
  { name: "webhooks", make: webhookList, operators: true },
  { name: "keys", make: keyList, operators: true },
  { name: "retention", make: retentionView, operators: true },
].filter(({ operators }) => !operators || !isReadOnly());

const views = new Map(); // the lists stay in place while a record is shown
let shown = null;
let asked = 0;

const nav = document.getElementById("tabs");
nav.append(...tabs.map(({ name }) => html("li", {}, html("a", { href: `#${name}`, id: `tab-${name}` }, texts.text(`console.tab.${name}`)))),
  html("li", {}, html("a", { href: "/status" }, texts.text("status.title"))));

addEventListener("hashchange", () => show(true));
await show(false);
showPage();
if (!document.querySelector(".tabs").hidden) watchChanges(changed);

/** Reloads the shown records after a change of their list, or of any list if it is `null`. */
function changed(list) {
  const isOther = list !== null && shown?.lists && !shown.lists.includes(list);
  if (isOther) return;
  // A question about a record stays as it is until it is answered.
  const question = document.querySelector("dialog[open]");
  if (question) question.addEventListener("close", () => changed(list), { once: true });
  else shown?.look?.();
}

async function show(moves) {
  asked += 1;
  const mine = asked;
  const [name, ...rest] = location.hash.slice(1).split("/");
  const tab = tabs.find((each) => each.name === name) ?? tabs[0];
  const id = rest.join("/");
  for (const link of nav.querySelectorAll("a")) {
    if (link.id === `tab-${tab.name}`) {
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "center" });
    } else {
      link.removeAttribute("aria-current");
    }
  }
  document.title = `${texts.text(`console.tab.${tab.name}`)} · Mien`;
  const before = shown;
  let view;
  try {
    view = id && tab.record
      ? await tab.record(texts, decodeURIComponent(id), () => views.get(tab.name)?.remove(decodeURIComponent(id)))
      : await list(tab);
  } catch (error) {
    view = { element: wrong(tab, error) };
  }
  if (mine !== asked) return;
  shown = view;
  main.replaceChildren(view.element);
  if (!moves) return;
  // After leaving a record, the focus returns to its row.
  const row = before?.id && view.element.querySelector(`[data-id="${CSS.escape(before.id)}"] a`);
  (row || document.getElementById("title"))?.focus();
}

async function list(tab) {
  const known = views.get(tab.name);
  if (known) {
    known.look?.();
    return known;
  }
  const made = await tab.make(texts);
  views.set(tab.name, made);
  return made;
}

function wrong(tab, error) {
  const asks = error.code === "unauthorized";
  document.querySelector(".tabs").hidden = asks;
  if (asks) {
    document.title = `${texts.text("console.title")} · Mien`;
    return html("div", { class: "page" }, html("h1", { id: "title", tabindex: "-1" }, texts.text("console.title")),
      html("div", { id: "wrong" }, html("p", { class: "soft" }, errorMessage(error, texts)), keyForm(texts, () => location.reload())));
  }
  return html("div", { class: "page" }, html("h1", { id: "title", tabindex: "-1" }, texts.text(`console.tab.${tab.name}`)),
    html("div", { id: "wrong", role: "alert" }, html("p", { class: "wrong" }, errorMessage(error, texts))));
}
