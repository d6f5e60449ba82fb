// The Profile page: avatar, counters, and deletion of the data on this device.

import { html } from "../core/dom.js";
import { choices, choose, counts, forgetAll } from "./local-storage.js";
import { forgetSheet, keepSheet, ownSheet } from "./custom-avatar.js";
import { openPage } from "./page.js";
import { avatars, expressions, sprite } from "./sprites.js";
import { showTour } from "./tour.js";

const content = html("section", { class: "screen card profile", "aria-labelledby": "profile-title" },
  html("h1", { class: "title", id: "profile-title", "data-text": "messages.profile.title" }),
  html("fieldset", { class: "avatars" },
    html("legend", { "data-text": "messages.profile.avatar" }),
    [...avatars, "own"].map((name) => html("label", { class: "avatar", id: `avatar-${name}` },
      html("input", { type: "radio", name: "avatar", value: name }),
      sprite(name, "neutral"),
      html("span", { "data-text": `messages.avatar.${name}` })))),
  html("div", { class: "own" },
    html("label", { class: "button quiet", for: "sheet" },
      html("span", { "data-text": "messages.profile.own" }),
      html("input", { class: "visually-hidden", type: "file", id: "sheet", accept: "image/png", "aria-describedby": "sheet-how" })),
    html("button", { class: "plain", type: "button", id: "remove", "data-text": "messages.profile.own.remove" }),
    html("p", { class: "aside", id: "sheet-how", "data-text": "messages.profile.own.how" }),
    html("p", { class: "wrong", id: "sheet-wrong", role: "alert" })),
  html("h2", { "data-text": "messages.profile.preview" }),
  html("ul", { class: "grid", id: "preview" }),
  html("h2", { "data-text": "messages.profile.counts" }),
  html("dl", { class: "counts" }, ["locked", "opened", "wrong"].map((name) => html("div", {},
    html("dt", { "data-text": `messages.counts.${name}` }), html("dd", { id: `count-${name}` })))),
  html("div", { class: "actions" },
    html("button", { class: "button", type: "button", id: "tour-again", "data-text": "messages.profile.tour" }),
    html("button", { class: "button quiet", type: "button", id: "forget", "data-text": "messages.profile.forget" })),
  html("p", { class: "aside", id: "forgotten", role: "status" }));

const texts = await openPage("profile", content);
const find = (id) => document.getElementById(id);
show();
for (const input of document.querySelectorAll("[name=avatar]")) {
  input.addEventListener("change", () => {
    choose({ avatar: input.value });
    show();
  });
}
find("sheet").addEventListener("change", async () => {
  const [file] = find("sheet").files;
  find("sheet").value = ""; // so that the same file can be chosen again
  if (!file) return;
  const kept = await keepSheet(file);
  find("sheet-wrong").textContent = kept ? "" : texts.text("messages.profile.own.wrong");
  if (kept) choose({ avatar: "own" });
  show();
});
find("remove").addEventListener("click", () => {
  forgetSheet();
  show();
  find("sheet").focus();
});
find("tour-again").addEventListener("click", () => showTour(texts));
find("forget").addEventListener("click", () => {
  forgetAll();
  show();
  find("forgotten").textContent = texts.text("messages.profile.forgotten");
});

function show() {
  const { avatar } = choices();
  const isOwn = ownSheet() !== null;
  find("avatar-own").hidden = find("remove").hidden = !isOwn;
  if (isOwn) find("avatar-own").querySelector(".sprite").replaceWith(sprite("own", "neutral"));
  for (const input of document.querySelectorAll("[name=avatar]")) input.checked = input.value === avatar;
  find("preview").replaceChildren(...expressions.map((name) =>
    html("li", {}, sprite(avatar, name), html("span", {}, texts.text(`expression.${name}`)))));
  for (const [name, number] of Object.entries(counts())) {
    const place = find(`count-${name}`);
    if (place) place.textContent = new Intl.NumberFormat(texts.locale).format(number);
  }
}
