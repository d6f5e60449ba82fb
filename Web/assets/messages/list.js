// The messages sent from and received on this device, with the state that the server tells now.

import { html } from "../core/build.js";
import { Problem } from "../core/session-client.js";
import { erase, look } from "./api.js";
import { forget, keep, messages, textOf } from "./kept.js";
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

  /** Shows what is remembered at once, and each state when it is known. */
  show() {
    const entries = messages().slice(0, most);
    if (entries.length === 0) {
      this.#box.replaceChildren(html("li", { class: "none" }, this.#texts.text("messages.list.none")));
      return;
    }
    this.#box.replaceChildren(...entries.map((entry) => this.#item(entry)));
  }

  #item(entry) {
    const { id, sent, at, opened } = entry;
    const text = textOf(id);
    const when = new Intl.DateTimeFormat(this.#texts.language, { dateStyle: "medium" }).format(new Date(at));
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
      forget(id);
      this.show();
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
    try {
      await erase(id, receipt);
      keep(id, { receipt: null });
    } catch {
      // its state is asked for again, and says so
    }
    this.show();
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
