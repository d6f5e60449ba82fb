// List of records with filters, newest first: more on demand, newest on top while the page is open, export as a file.

import { html } from "../core/dom.js";
import { json, query } from "../scan/api.js";
import { announce, button, field, heading } from "../scan/components.js";
import { errorMessage } from "../scan/format.js";
import { csv, saveText } from "./export.js";

const atOnce = 25;
const searchDelay = 300; // milliseconds after the last keystroke of a search
const largestExport = 10_000;

export class RecordList {
  #texts;
  #path;
  #member;
  #row;
  #inputs;
  #columns;
  #records = new Map(); // in order of the list: ID to { record, element, text }
  #next = null;
  #asked = 0;
  #rows = html("ul", { class: "records", id: "records" });
  #count = html("p", { class: "soft", id: "count", role: "status" });
  #wrong = html("div", { id: "wrong", role: "alert" });
  #more;

  /**
   * `path` is the API's list and `member` its array; `inputs` are `[query name, label, element]`, `row` builds a list item
   * of a record, and `columns` are the members of records in exported files.
   */
  constructor(texts, { title, path, member, inputs, row, columns }) {
    this.#texts = texts;
    this.#path = path;
    this.#member = member;
    this.#row = row;
    this.#inputs = inputs;
    this.#columns = columns;
    this.#more = button("more", texts.text("console.more"), () => this.#continue(), "button quiet");
    this.#more.hidden = true;
    const form = html("form", { class: "filters", role: "search" },
      inputs.map(([name, label, input]) => field(`filter-${name}`, label, input)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#again();
    });
    let timer = 0;
    for (const [, , input] of inputs) {
      input.addEventListener(input.type === "search" ? "input" : "change", () => {
        clearTimeout(timer);
        timer = setTimeout(() => this.#again(), input.type === "search" ? searchDelay : 0);
      });
    }
    const exported = (kind) => button(`export-${kind}`, texts.text(`console.export.${kind}`), (made) => this.#export(kind, made), "button quiet");
    this.element = html("div", { class: "page" }, heading(title), form,
      html("div", { class: "above" }, this.#count, html("div", { class: "row" }, exported("csv"), exported("json"))),
      this.#wrong, this.#rows, html("div", { class: "actions" }, this.#more));
  }

  /** Lists of the server whose changes this view shows. */
  get lists() {
    return [this.#member];
  }

  /** Loads the first page; throws if the server refuses it. */
  async start() {
    const page = await this.#page();
    this.#replace(page);
    return this;
  }

  /** Looks for new and changed records on the first page. Errors are shown until the next look. */
  async look() {
    const mine = this.#asked;
    try {
      const page = await this.#page();
      // A search or another page was asked for meanwhile.
      if (mine !== this.#asked) return;
      this.#wrong.replaceChildren();
      this.#merge(page);
    } catch (error) {
      if (mine === this.#asked) this.#showError(error);
    }
  }

  /** Removes the row of a record that was deleted. */
  remove(id) {
    this.#records.get(id)?.element.remove();
    this.#records.delete(id);
    this.#showCount();
  }

  #filter() {
    return Object.fromEntries(this.#inputs.map(([name, , input]) => [name, value(name, input)]));
  }

  #page(more = {}) {
    return json("GET", `${this.#path}?${query({ ...this.#filter(), limit: atOnce, ...more })}`);
  }

  async #again() {
    this.#asked += 1;
    const mine = this.#asked;
    try {
      const page = await this.#page();
      if (mine !== this.#asked) return;
      this.#wrong.replaceChildren();
      this.#replace(page);
    } catch (error) {
      if (mine === this.#asked) this.#showError(error);
    }
  }

  async #continue() {
    this.#asked += 1;
    const mine = this.#asked;
    this.#more.disabled = true;
    try {
      const page = await this.#page({ after: this.#next });
      if (mine !== this.#asked) return;
      this.#next = page.next ?? null;
      const first = page[this.#member].find((record) => !this.#records.has(record.id));
      for (const record of page[this.#member]) this.#put(record, (element) => this.#rows.append(element));
      this.#showCount();
      this.#records.get(first?.id)?.element.querySelector("a, button")?.focus();
    } catch (error) {
      if (mine === this.#asked) this.#showError(error);
    } finally {
      this.#more.disabled = false;
    }
  }

  #replace(page) {
    this.#records.clear();
    this.#rows.replaceChildren();
    for (const record of page[this.#member]) this.#put(record, (element) => this.#rows.append(element));
    this.#next = page.next ?? null;
    this.#showCount();
  }

  #merge(page) {
    const found = page[this.#member];
    const known = found.some(({ id }) => this.#records.has(id));
    // More than a page is new: the list starts over instead of having a gap.
    if (found.length > 0 && !known && this.#records.size > 0) {
      this.#replace(page);
      return;
    }
    let added = 0;
    for (const record of [...found].reverse()) {
      if (!this.#records.has(record.id)) added += 1;
      this.#put(record, (element) => this.#rows.prepend(element));
    }
    if (!page.next) this.#drop(found);
    if (added > 0) announce(this.#texts.text("console.new", { number: added }));
    this.#showCount();
  }

  /** Removes rows that are no longer in a list of one page. */
  #drop(found) {
    const there = new Set(found.map(({ id }) => id));
    for (const id of [...this.#records.keys()]) if (!there.has(id)) this.remove(id);
  }

  #put(record, add) {
    const text = JSON.stringify(record);
    const known = this.#records.get(record.id);
    if (known?.text === text) return;
    const element = this.#row(record);
    element.dataset.id = record.id;
    if (known) {
      const focused = known.element.contains(document.activeElement);
      known.element.replaceWith(element);
      if (focused) element.querySelector("a, button")?.focus();
    } else {
      add(element);
    }
    this.#records.set(record.id, { record, element, text });
  }

  #showCount() {
    const locale = this.#texts.locale;
    this.#count.textContent = this.#records.size === 0 ? this.#texts.text("console.none")
      : this.#texts.text("console.shown", { number: new Intl.NumberFormat(locale).format(this.#records.size) });
    this.#more.hidden = this.#next === null;
  }

  #showError(error) {
    this.#wrong.replaceChildren(html("p", { class: "wrong" }, errorMessage(error, this.#texts)));
  }

  /** Saves all records that match the filters, up to a limit. */
  async #export(kind, made) {
    made.disabled = true;
    try {
      const records = [];
      let after = null;
      do {
        const page = await this.#page({ limit: 200, ...(after ? { after } : {}) });
        records.push(...page[this.#member]);
        after = page.next ?? null;
      } while (after && records.length < largestExport);
      if (kind === "csv") saveText(csv(this.#columns, records), "text/csv", `${this.#member}.csv`);
      else saveText(JSON.stringify(records, null, 1), "application/json", `${this.#member}.json`);
      if (after) this.#wrong.replaceChildren(html("p", { class: "warn" }, this.#texts.text("console.export.part", { number: records.length })));
    } catch (error) {
      this.#showError(error);
    } finally {
      made.disabled = false;
    }
  }
}

/** Returns the value of a filter: days become the times at which they begin in the browser's zone. */
function value(name, input) {
  if (input.type !== "date" || !input.value) return input.value.trim();
  const [year, month, day] = input.value.split("-").map(Number);
  const start = new Date(year, month - 1, day + (name === "created_before" ? 1 : 0));
  return Number.isNaN(start.getTime()) ? "" : start.toISOString();
}

/** Returns the filters of the time of creation. */
export function dayInputs(texts) {
  return ["created_after", "created_before"].map((name) => [name, texts.text(name === "created_after" ? "console.from" : "console.until"), html("input", { type: "date" })]);
}

/** Builds a list of choices with `All` first; `words` returns the text of each. */
export function choice(texts, names, words) {
  return html("select", {}, new Option(texts.text("scan.any"), ""), names.map((name) => new Option(words(name), name)));
}
