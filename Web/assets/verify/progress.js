// Progress of a capture's analysis: the bar, and the completed checks.

import { html } from "../core/dom.js";
import { sign } from "./components.js";

/** Updates the progress screen; without `progress`, the bar is indeterminate. */
export function showProgress(progress, texts) {
  const bar = document.getElementById("progress");
  const list = document.getElementById("groups") ?? html("ul", { id: "groups", class: "groups" });
  if (!progress) {
    bar.removeAttribute("value");
    list.remove();
    return;
  }
  const { done, left } = progress;
  const all = done.length + left.length;
  bar.max = all;
  bar.value = done.length;
  document.getElementById("note").textContent = texts.text("verify.progress", { done: done.length, all });
  list.replaceChildren(...[...done.map((name) => [name, true]), ...left.map((name) => [name, false])].map(
    ([name, isDone]) => html("li", { "data-group": name, "data-done": String(isDone) },
      sign(isDone ? "pass" : "not-checked"), groupName(name, texts))));
  if (!list.isConnected) bar.parentElement.append(list);
}

function groupName(name, texts) {
  const key = `verify.group.${name}`;
  return texts.text(texts.has(key) ? key : `verify.check.${name}`);
}
