// Makes a brand color legible. Contrast ratio as defined by WCAG 2.2: (L1 + 0.05) / (L2 + 0.05) of relative luminances.

const enough = 4.5;
const black = [0, 0, 0];
const white = [1, 1, 1];

/** Returns the channels of `#rgb` or `#rrggbb` as 0…1, or `null` for anything else. */
export function parseColor(text) {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text?.trim() ?? "")?.[1];
  if (!digits) return null;
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : digits.match(/../g);
  return pairs.map((pair) => parseInt(pair, 16) / 255);
}

export function formatColor(color) {
  return `#${color.map((part) => Math.round(part * 255).toString(16).padStart(2, "0")).join("")}`;
}

export function contrast(one, other) {
  const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

/** Returns `color`, or its nearest mix with black or white that is legible on `background`. */
export function legible(color, background) {
  const end = contrast(black, background) > contrast(white, background) ? black : white;
  for (let amount = 0; amount < 1; amount += 0.02) {
    const mixed = mix(color, end, amount);
    // Uses the rounded color, since that is the one displayed.
    if (contrast(parseColor(formatColor(mixed)), background) >= enough) return mixed;
  }
  return end;
}

/** Returns black or white, whichever has more contrast with `color`. */
export function readableOn(color) {
  return contrast(white, color) >= contrast(black, color) ? white : black;
}

export function mix(one, other, amount) {
  return one.map((part, index) => part + (other[index] - part) * amount);
}

function luminance(color) {
  const [red, green, blue] = color.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
