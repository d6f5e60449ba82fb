// List of the messages sent from and received on this device, with their current state on the server.

import { html } from "../core/dom.js";
import { Problem } from "../core/session-client.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { erase, look } from "./api.js";
import { forget, keep, messages, textOf } from "./local-storage.js";
import { sprite } from "./sprites.js";

const most = 20;

export class MessageList {
  #box;
  #texts;
  #open;

  constructor(box, texts, open) {
    this.#box = box;
    this.#texts = texts;
    this.#open = open;
  }

  /** Shows the stored messages immediately, and each state once it is loaded. */
  show() {
    const entries = messages().slice(0, most);
    if (entries.length === 0) {
      this.#box.replaceChildren(html("li", { class: "none", tabindex: "-1" }, this.#texts.text("messages.list.none")));
      return;
    }
    this.#box.replaceChildren(...entries.map((entry) => this.#item(entry)));
  }

  #item(entry) {
    const { id, sent, at, opened } = entry;
    const text = textOf(id);
    const when = new Intl.DateTimeFormat(this.#texts.locale, { dateStyle: "medium" }).format(new Date(at));
    const state = html("span", { class: "state shimmer" }, this.#texts.text("messages.list.asking"));
    const picture = html("span", { class: "shimmer sprite" });
    const actions = html("div", { class: "row" });
    const item = html("li", { "data-id": id },
      picture,
      html("div", {},
        html("p", {}, this.#texts.text(sent ? "messages.list.sent" : "messages.list.received", { time: when })),
        html("p", {}, html("code", { dir: "ltr" }, id)),
        text === null ? [] : html("p", { class: "known", dir: "auto" }, text),
        html("p", {}, state)),
      actions);
    actions.append(this.#button("messages.list.forget", id, () => {
      // Moves the focus to the next entry, or to the previous one if this was the last.
      const next = item.nextElementSibling ?? item.previousElementSibling;
      forget(id);
      this.show();
      const place = next && this.#box.querySelector(`[data-id="${CSS.escape(next.dataset.id)}"] button`);
      if (place) place.focus();
      else this.#box.querySelector(".none")?.focus();
    }));
    this.#ask(entry, { state, picture, actions, opened });
    return item;
  }

  async #ask(entry, { state, picture, actions, opened }) {
    let words;
    try {
      const message = await look(entry.id);
      words = this.#texts.text(`messages.list.${message.state}`);
      picture.replaceWith(sprite(message.avatar, message.gif ? (opened ? "smile" : "neutral") : "blink"));
      if (message.gif) {
        const open = this.#button("messages.list.open", entry.id, () => this.#open(entry.id));
        actions.prepend(open, this.#download(message));
      }
      if (message.gif && entry.receipt) {
        actions.append(this.#button("messages.list.erase", entry.id, () => this.#erase(entry)));
      }
    } catch (error) {
      const gone = error instanceof Problem && error.code === "not-found";
      words = this.#texts.text(gone ? "messages.list.unknown" : "messages.list.unreachable");
      picture.classList.remove("shimmer");
    }
    state.classList.remove("shimmer");
    state.textContent = words;
  }

  async #erase({ id, receipt }) {
    const text = (key) => this.#texts.text(key);
    // Closing the dialog returns the focus to the button that opened it.
    if (!(await confirmAction(text("messages.list.erase.sure"), text("messages.list.erase"), text("messages.list.keep")))) return;
    try {
      await erase(id, receipt);
      keep(id, { receipt: null });
    } catch {
      // The list is reloaded below and shows the current state.
    }
    this.show();
    this.#box.querySelector(`[data-id="${CSS.escape(id)}"] button`)?.focus();
  }

  #download({ id, gif }) {
    const words = this.#texts.text("messages.done.download");
    return html("a", { class: "plain", href: gif, download: `mien-${id}.gif`, "aria-label": `${words}: ${id}` }, words);
  }

  #button(key, id, action) {
    const words = this.#texts.text(key);
    const button = html("button", { class: "plain", type: "button", "aria-label": `${words}: ${id}` }, words);
    button.addEventListener("click", action);
    return button;
  }
}
