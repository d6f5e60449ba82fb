// A list of short statements, as many as the texts hold: `prefix.1`, `prefix.2`, …

import { hasText, text } from "../shared/texts.js";

const svg = "http://www.w3.org/2000/svg";

export function renderPoints(list, prefix, mark) {
  for (let number = 1; hasText(`${prefix}.${number}`); number += 1) {
    const item = document.createElement("li");
    const words = document.createElement("span");
    words.textContent = text(`${prefix}.${number}`);
    item.append(icon(mark), words);
    list.append(item);
  }
}

function icon(mark) {
  const picture = document.createElementNS(svg, "svg");
  picture.setAttribute("viewBox", "0 0 20 20");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", mark);
  picture.append(path);
  return picture;
}
