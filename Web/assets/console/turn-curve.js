// Curve of a head turn: yaw over the frames that the verdict rests on.

import { html, svg } from "../core/dom.js";

const width = 900;
const height = 180;
const margin = 12;
const fixed = { "vector-effect": "non-scaling-stroke" }; // the drawing is stretched to its place

/** Builds the curve of the angles in degrees; positive angles, toward the subject's left, are at the top. */
export function turnCurve({ outbound_path: out, return_path: back }, texts) {
  const angles = [...out, ...back];
  const most = angles.reduce((far, angle) => (Math.abs(angle) > Math.abs(far) ? angle : far), 0);
  const reach = Math.max(30, ...angles.map(Math.abs));
  const x = (index) => (margin + (index / (angles.length - 1)) * (width - 2 * margin)).toFixed(1);
  const y = (angle) => (height / 2 - (angle / reach) * (height / 2 - margin)).toFixed(1);
  const path = (values, from) => values.map((angle, index) => `${index === 0 ? "M" : "L"}${x(from + index)} ${y(angle)}`).join("");
  const degrees = new Intl.NumberFormat(texts.locale, { style: "unit", unit: "degree", unitDisplay: "narrow", maximumFractionDigits: 0 });
  const description = texts.text("console.curve.told", { most: degrees.format(most), end: degrees.format(angles.at(-1)) });
  // The way out ends at its last angle, and the way back starts there.
  const joined = out.length > 0 && back.length > 0 ? [out.at(-1), ...back] : back;
  return html("figure", { class: "curve", dir: "ltr" },
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": description, preserveAspectRatio: "none" },
      svg("path", { ...fixed, class: "axis", d: `M0 ${height / 2}H${width}` }),
      svg("path", { ...fixed, class: "out", d: path(out, 0) }), svg("path", { ...fixed, class: "back", d: path(joined, angles.length - joined.length) })),
    html("figcaption", { dir: texts.direction }, description));
}
