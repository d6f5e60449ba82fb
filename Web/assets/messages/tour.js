// Introductory tour: explains the feature and how each expression is made. Shown once automatically, and again on
// request.

import { html } from "../core/dom.js";
import { choices, tourWasShown } from "./local-storage.js";
import { counted, sprite } from "./sprites.js";

/** Shows the tour unless it has been shown before. */
export function offerTour(texts) {
  if (!tourWasShown()) showTour(texts);
}

export function showTour(texts) {
  const { avatar } = choices();
  const named = { class: "button", type: "button", id: "tour-done" };
  const button = html("button", named, texts.text("messages.tour.done"));
  const dialog = html("dialog", { class: "tour", id: "tour", "aria-labelledby": "tour-title" },
    html("h2", { class: "title", id: "tour-title", tabindex: "-1", autofocus: true },
      texts.text("messages.tour.title")),
    html("p", { class: "lead" }, texts.text("messages.tour.lead")),
    html("ul", { class: "shown mirrored" }, counted.map((name) => html("li", {},
      sprite(avatar, name),
      html("div", {},
        html("h3", {}, texts.text(`expression.${name}`)),
        html("p", {}, texts.text(`expression.${name}.how`)))))),
    html("p", { class: "aside" }, texts.text("messages.tour.relax")),
    html("div", { class: "actions" }, button));
  button.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
