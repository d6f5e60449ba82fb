// Translucent layer over the video outside the oval.

import { svg } from "../dom.js";

export class Scrim {
  element = svg("path", { class: "scrim", "fill-rule": "evenodd" });

  draw(_, oval) {
    this.element.setAttribute("d", `M0 0H${oval.width}V${oval.height}H0Z${oval.path()}Z`);
  }
}
