// Small pictures in a list: each is loaded once it comes into view, and replaces the sign of its kind.

import { html } from "../core/dom.js";
import { blob } from "./api.js";
import { kindIcon } from "./kind-step.js";

const waiting = new WeakMap(); // elements with the address of their picture

const watch = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    watch.unobserve(target);
    load(target, waiting.get(target));
  }
}, { rootMargin: "200px" });

/** Builds the picture of a scan as it is in a list. The title beside it names it, so that it has no text of its own. */
export function thumbnail({ kind, thumbnail: address }) {
  const made = html("span", { class: "picture" }, kindIcon(kind));
  if (address) {
    waiting.set(made, address);
    watch.observe(made);
  }
  return made;
}

async function load(place, address) {
  const picture = await blob(address).catch(() => null);
  if (!picture || !place.isConnected) return;
  const image = html("img", { alt: "", src: URL.createObjectURL(picture) });
  for (const end of ["load", "error"]) image.addEventListener(end, () => URL.revokeObjectURL(image.src), { once: true });
  place.replaceChildren(image);
}
