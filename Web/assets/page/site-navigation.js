// Navigation between the areas of this server, in the header of every page. Phones show it as a menu.

import { html, svg } from "../core/dom.js";

const areas = [
  { text: "nav.check", pages: ["/check"] },
  { text: "nav.messages", pages: ["/encode", "/decode", "/profile"] },
  { text: "nav.photos", pages: ["/verify", "/methodology"] },
  { text: "nav.scans", pages: ["/scan", "/scans"] },
  { text: "nav.developers", pages: ["/developers", "/status"] },
];

/** Adds the navigation to the page's header, with texts for `Texts.fill`. */
export function addNavigation() {
  const header = document.querySelector("body > header.bar");
  const here = `/${location.pathname.split("/")[1].replace(/\.html$/, "")}`;
  const list = html("ul", { id: "areas" }, areas.map(({ text, pages }) => html("li", {},
    html("a", { href: pages[0], "aria-current": pages.includes(here) ? (pages[0] === here ? "page" : "true") : null, "data-text": text }))));
  const menu = html("button", { class: "menu", type: "button", id: "menu", "aria-expanded": "false", "aria-controls": "areas" },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M4 7h16M4 12h16M4 17h16" })),
    html("span", { "data-text": "nav.menu" }));
  const nav = html("nav", { class: "areas", "data-text-label": "nav.label" }, menu, list);
  const open = (isOpen) => menu.setAttribute("aria-expanded", String(isOpen));
  menu.addEventListener("click", () => open(menu.getAttribute("aria-expanded") === "false"));
  nav.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || menu.getAttribute("aria-expanded") === "false") return;
    open(false);
    menu.focus();
  });
  nav.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !nav.contains(relatedTarget)) open(false);
  });
  document.addEventListener("pointerdown", ({ target }) => {
    if (!nav.contains(target)) open(false);
  });
  header.querySelector(".brand").after(nav);
}
