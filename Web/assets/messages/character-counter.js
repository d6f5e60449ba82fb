// Counts characters as users perceive them: a family emoji is one, and so is a letter with its accents.

export const most = 100;

const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function countOf(text) {
  if (!segmenter) return [...text.normalize()].length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** Reports whether a text can be locked: not empty, not blank, not too long. */
export function mayBeLocked(text) {
  return text.trim() !== "" && countOf(text) <= most;
}
