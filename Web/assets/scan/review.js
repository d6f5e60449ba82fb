// Step two: review of the photos and the other data of the scan.

import { html } from "../core/dom.js";
import { button, heading, section } from "./components.js";
import { bytes } from "./format.js";

const views = ["front", "left", "right"];

/**
 * Builds the screen. `retake(index)` and `back()` return to the capture, `upload()` starts the next step. Returns the
 * parts, and `close()` to release the images.
 */
export function reviewScreen(texts, draft, { retake, back, upload }) {
  const photos = draft.photos.map((photo, index) => photo && {
    ...photo, index, name: nameOf(texts, draft.kind, index), address: URL.createObjectURL(photo.blob),
  }).filter(Boolean);
  const parts = [
    heading(texts.text("scan.review.title")),
    html("p", { class: "lead" }, texts.text(photos.length > 0 ? "scan.review.lead" : "scan.review.lead.files")),
    photos.length > 0 ? gallery(photos, texts, draft.kind, retake) : [],
    section("facts-title", texts.text("scan.facts"), facts(texts, draft, photos)),
    warnings(texts, draft, photos),
    html("div", { class: "actions" },
      button("upload", texts.text("scan.upload"), upload),
      button("back", texts.text("scan.back"), back, "button quiet")),
  ];
  return { parts: parts.flat(), close: () => photos.forEach(({ address }) => URL.revokeObjectURL(address)) };
}

function nameOf(texts, kind, index) {
  return kind === "face" ? texts.text(`scan.view.${views[index]}`) : texts.text("scan.photo-measures.photo", { number: index + 1 });
}

function gallery(photos, texts, kind, retake) {
  const large = html("img", { alt: "", id: "large" });
  const full = button("full", texts.text("scan.full"), () => large.requestFullscreen(), "plain");
  full.hidden = !document.fullscreenEnabled;
  const again = button("retake", texts.text(kind === "face" ? "scan.retake" : "scan.depth.clear"), () => retake(chosen), "plain");
  const thumbs = photos.map((photo) => {
    const made = html("button", { class: "thumb", type: "button", "aria-pressed": "false" },
      html("img", { src: photo.address, alt: photo.name }));
    made.addEventListener("click", () => show(photo));
    return made;
  });
  let chosen = 0;
  function show({ index, name, address }) {
    chosen = index;
    large.src = address;
    large.alt = name;
    photos.forEach((photo, place) => thumbs[place].setAttribute("aria-pressed", String(photo.index === index)));
  }
  show(photos[0]);
  return html("div", { class: "gallery" },
    html("figure", {}, large, html("figcaption", { class: "row" }, full, again)),
    html("div", { class: "thumbs", role: "group", "aria-label": texts.text("scan.photos") }, thumbs));
}

function facts(texts, draft, photos) {
  const { locale } = texts;
  const photoBytes = photos.reduce((sum, { blob }) => sum + blob.size, 0);
  const fileBytes = draft.files.reduce((sum, { size }) => sum + size, 0);
  const none = texts.text("scan.none");
  const pairs = [
    ["scan.photos", photos.length ? `${photos.length} · ${photos[0].width} × ${photos[0].height}` : none],
    ["scan.depth", draft.files.length ? texts.text("scan.depth.chosen", {
      number: draft.files.length, size: bytes(fileBytes, locale),
    }) : none],
    ["scan.all-bytes", bytes(photoBytes + fileBytes, locale)],
    ["scan.subject", draft.subject || none],
    ["scan.label", draft.label || none],
    ["scan.kind", texts.text(`scan.kind.${draft.kind}`)],
  ];
  return html("dl", { class: "facts" }, pairs.flatMap(([key, value]) => [
    html("dt", {}, texts.text(key)), html("dd", {}, html("bdi", {}, value)),
  ]));
}

function warnings(texts, draft, photos) {
  const found = [
    draft.kind === "face" && photos.length < 3 && "scan.warn.photos", draft.files.length === 0 && "scan.warn.depth",
    draft.kind === "face" && photos.some(({ face }) => face && face !== "one-face") && "scan.warn.face",
  ].filter(Boolean);
  return found.length === 0 ? [] : html("ul", { class: "warnings" }, found.map((key) => html("li", {}, texts.text(key))));
}
