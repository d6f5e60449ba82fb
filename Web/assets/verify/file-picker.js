// The first screen: choose, photograph or drop a file; the other parts are for sending a capture manually.

import { html, svg } from "../core/dom.js";

/** Photos. Some systems know HEIC by its ending only. */
const photos = "image/jpeg,image/png,image/heic,image/heif,image/avif,image/webp,.heic,.heif,.avif";

const others = [
  ["depth_map", "image/png,.mdf"], ["burst", "image/jpeg"], ["clip", "video/mp4,video/webm"], ["metadata", "application/json,.json"],
  ["detection", "application/json,.json"], ["signature", "application/json,.json"],
];

/** Builds the screen. `verify` receives a file to verify, `send` a capture as lists of files by part name. */
export function chooseScreen(texts, { verify, send }) {
  const file = html("input", { type: "file", id: "file", accept: photos, class: "visually-hidden" });
  file.addEventListener("change", () => file.files[0] && verify(file.files[0]));
  const drop = html("div", { class: "drop", id: "drop" },
    svg("svg", { viewBox: "0 0 48 48", "aria-hidden": "true" },
      svg("path", { d: "M8 32v6a3 3 0 0 0 3 3h26a3 3 0 0 0 3-3v-6M24 31V8M15 17l9-9 9 9" })),
    file,
    html("label", { class: "button", for: "file" }, texts.text("verify.choose")),
    html("p", { class: "soft" }, texts.text("verify.choose.drop")));
  accept(drop, verify);
  return [
    html("p", { class: "kicker" }, texts.text("verify.kicker")),
    html("h1", { id: "title", tabindex: "-1" }, texts.text("verify.title")),
    html("p", { class: "lead" }, texts.text("verify.lead")),
    drop,
    html("p", { class: "wrong", id: "wrong", role: "alert" }),
    html("p", { class: "done", id: "done", role: "status" }),
    captureForm(texts, send),
  ];
}

function accept(drop, verify) {
  const over = (isOver) => (isOver ? drop.setAttribute("data-over", "") : drop.removeAttribute("data-over"));
  drop.addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  drop.addEventListener("dragleave", () => over(false));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    const [file] = event.dataTransfer.files;
    if (file) verify(file);
  });
  // A file dropped outside the field must not replace the page.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  document.addEventListener("paste", (event) => {
    const [file] = event.clipboardData?.files ?? [];
    if (file && drop.isConnected) verify(file);
  });
}

function captureForm(texts, send) {
  const field = (name, accepted) => html("p", { class: "field" },
    html("label", { for: `part-${name}` }, texts.text(`verify.part.${name}`)),
    html("input", { type: "file", id: `part-${name}`, name, accept: accepted, required: name === "photo", multiple: name === "burst" }));
  const form = html("form", { id: "capture" },
    html("p", {}, texts.text("verify.send.lead")),
    field("photo", photos),
    others.map(([name, accepted]) => field(name, accepted)),
    html("button", { class: "button quiet", type: "submit" }, texts.text("verify.send")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const inputs = [...form.querySelectorAll("input")];
    send(Object.fromEntries(inputs.map((input) => [input.name, [...input.files]])));
  });
  return html("details", { class: "others" }, html("summary", {}, texts.text("verify.send.title")), form);
}
