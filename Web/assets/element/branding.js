// What a brand's colour becomes in each scheme.

import { formatColor, legible, mix, parseColor, readableOn } from "./contrast.js";

/** Of `tokens.css` and `dark.css`: the surface, and the ground on which a colour has the least contrast. */
const schemes = {
  light: { sheet: "#ffffff", ground: "#eceeea", away: [0, 0, 0] },
  dark: { sheet: "#16201d", ground: "#1c2825", away: [1, 1, 1] },
};

/** The rules that put a brand's colour in the place of the accent, by scheme; null when it is not a colour. */
export function brandRules(text) {
  const color = parseColor(text);
  if (!color) return null;
  const rules = {};
  for (const [name, { sheet, ground, away }] of Object.entries(schemes)) {
    const accent = legible(color, parseColor(ground));
    const values = {
      accent,
      "accent-strong": mix(accent, away, 0.22),
      "accent-wash": mix(parseColor(sheet), accent, 0.14),
      "on-accent": readableOn(accent),
    };
    const lines = Object.entries(values).map(([key, value]) => `--${key}: ${formatColor(value)};`);
    rules[name] = `:host { ${lines.join(" ")} }`;
  }
  return rules;
}
