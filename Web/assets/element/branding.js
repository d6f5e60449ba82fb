// Accent colors derived from a brand color, for each color scheme.

import { formatColor, legible, mix, parseColor, readableOn } from "./contrast.js";

/**
 * Values from `tokens.css` and `dark.css`: the surface (`sheet`) and the background on which a color has the least
 * contrast (`ground`); the strong accent is mixed toward `away`.
 */
const schemes = {
  light: { sheet: "#ffffff", ground: "#eceeea", away: [0, 0, 0] },
  dark: { sheet: "#16201d", ground: "#1c2825", away: [1, 1, 1] },
};

/**
 * Returns the CSS rules that replace the accent with a brand color, by scheme, or `null` if the text is not a color.
 */
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
