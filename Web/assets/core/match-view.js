// Result of the comparison of the face with a picture, in words and, where the page has them, beside both pictures.

const tones = { match: "good", "no-match": "bad" };
/** Reasons with a text of their own. */
const reasons = ["not-live", "too-few-frames", "model-unavailable"];

export class MatchView {
  #root;
  #texts;
  #addresses = [];

  constructor(root, texts) {
    this.#root = root;
    this.#texts = texts;
  }

  /**
   * Shows a result `{ decision, reason, reference, live }`, or nothing if it is `null`. `reference` and `live` are
   * pictures; each is left out if it is `null`. Returns the words, for speech output.
   */
  show(match) {
    this.#forget();
    const find = (id) => this.#root.getElementById(id);
    const view = find("match");
    view.hidden = !match;
    if (!match) return "";
    const told = wordsOf(match, this.#texts);
    view.dataset.tone = tones[match.decision] ?? (match.reason === "declined" ? "none" : "wait");
    find("match-decision").textContent = told.title;
    find("match-text").textContent = told.text;
    // Pictures say nothing about a comparison that did not take place.
    const compared = match.decision in tones;
    this.#showPicture("match-reference", compared ? match.reference : null, "match.picture");
    this.#showPicture("match-live", compared ? match.live : null, "match.live");
    find("match-pair").hidden = this.#addresses.length === 0;
    return `${this.#texts.text("match.title")}: ${told.title}. ${told.text}`;
  }

  #showPicture(id, picture, key) {
    const image = this.#root.getElementById(id);
    this.#root.getElementById(`${id}-figure`).hidden = !picture;
    image.alt = picture ? this.#texts.text(key) : "";
    if (!picture) return image.removeAttribute("src");
    image.src = URL.createObjectURL(picture);
    this.#addresses.push(image.src);
  }

  #forget() {
    for (const address of this.#addresses.splice(0)) URL.revokeObjectURL(address);
  }
}

function wordsOf({ decision, reason }, texts) {
  const words = (key) => ({ title: texts.text(`match.${key}.title`), text: texts.text(`match.${key}.text`) });
  if (["match", "no-match", "unknown"].includes(decision)) return words(decision);
  if (reason === "declined") return words("declined");
  const key = reasons.includes(reason) ? reason : "other";
  return { title: texts.text("match.not-assessed.title"), text: texts.text(`match.not-assessed.${key}`) };
}
