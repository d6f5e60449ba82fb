// Link that shows the model in augmented reality where the system supports it: AR Quick Look on iPhone and iPad.

import { html } from "../core/dom.js";
import { usesKey } from "./api.js";

/** Returns the link, or `null` without a model for it or a browser that opens it. `held(url)` loads a URL and returns a blob URL. */
export function arLink(results, texts, held) {
  const model = results.find(({ name }) => name === "model.usdz");
  if (!model || !document.createElement("a").relList?.supports?.("ar")) return null;
  // The system treats the link as a model only if its one element is an image.
  const link = html("a", { class: "button quiet", id: "view-ar", rel: "ar", href: model.url }, html("img", { alt: "", width: 0, height: 0 }),
    texts.text("scan.ar"));
  // The system loads the model with the browser's cookies, but not with a key.
  if (usesKey()) held(model.url).then((address) => { link.href = address; }, () => link.remove());
  return html("p", { class: "row" }, link);
}
