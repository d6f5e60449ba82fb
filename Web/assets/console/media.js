// Stored pictures and video of a check. They are loaded on demand only, since every view is recorded in the audit log.

import { html } from "../core/dom.js";
import { blob } from "../scan/api.js";
import { button, section } from "../scan/components.js";
import { errorMessage } from "../scan/format.js";

export function mediaSection({ id, images = [], clip }, texts) {
  if (images.length === 0 && !clip) return [];
  return section("media", texts.text("console.media"), html("p", { class: "soft" }, texts.text("console.media.audited")),
    images.length > 0 ? opened("show-images", texts.text("console.media.pictures"), () => pictures(images, texts), texts) : [],
    video(id, clip, texts));
}

function video(id, clip, texts) {
  if (clip === "pending" || clip === "failed") return html("p", {}, texts.text(`console.media.${clip}`));
  if (clip !== "ready") return [];
  return opened("show-clip", texts.text("console.media.video"), async () => {
    const source = URL.createObjectURL(await blob(`/v1/checks/${encodeURIComponent(id)}/clip`));
    return html("video", { class: "video", src: source, controls: true, playsinline: true, "aria-label": texts.text("console.media.video") });
  }, texts);
}

/** Builds a button that is replaced by what `load` returns. */
function opened(id, words, load, texts) {
  const place = html("div", { class: "media" });
  const wrong = html("p", { class: "wrong", role: "alert" });
  const show = button(id, words, async () => {
    show.disabled = true;
    wrong.textContent = "";
    try {
      const media = await load();
      media.tabIndex = -1;
      place.replaceChildren(media);
      media.focus();
    } catch (error) {
      wrong.textContent = errorMessage(error, texts);
      show.disabled = false;
    }
  }, "button quiet");
  place.append(show, wrong);
  return place;
}

async function pictures(images, texts) {
  const loaded = await Promise.all(images.map(({ url }) => blob(url)));
  return html("div", { class: "pictures" }, images.map(({ kind }, index) => {
    const words = texts.text(kind === "reference" ? "console.media.face" : "console.media.other", { number: index });
    const address = URL.createObjectURL(loaded[index]);
    const image = html("img", { src: address, alt: words });
    image.addEventListener("load", () => URL.revokeObjectURL(address));
    return html("figure", {}, image, html("figcaption", {}, words));
  }));
}
