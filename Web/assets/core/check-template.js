// The check's screens as elements without text: `Texts.fill` inserts it. IDs are unique within one root.

import { ableList } from "./accessibility-form.js";
import { html, svg } from "./dom.js";
import { timeRing } from "./time-ring.js";

/**
 * Builds the screens and the live regions for screen readers.
 *
 * - `level`: heading level of the screens; 1 if the check is the page
 * - `slotted(name, ...parts)`: wraps parts that a host page can replace with its own elements
 * - `leave`: link or button that leads away from an ending
 */
export function buildScreens({ level = 1, slotted = (_, ...parts) => parts, leave }) {
  const heading = (id, ...rest) => html(`h${level}`, { id, tabindex: "-1", part: "title", class: "title", ...rest[0] });
  return [
    screen("welcome", "card", "welcome-title",
      heading("welcome-title", { "data-text": "welcome.title" }),
      slotted("welcome",
        html("p", { class: "lead", id: "welcome-lead", "data-text": "welcome.lead" }),
        html("ul", { class: "facts" }, facts.map((fact) => factItem(fact, level + 1)))),
      ableList(),
      html("div", { class: "actions" },
        html("button", { class: "button", part: "button", type: "button", id: "begin", "data-text": "welcome.begin" })),
      slotted("other-way", html("p", { class: "aside", "data-text": "welcome.other-way" }))),
    screen("consent", "card", "consent-title",
      heading("consent-title", { "data-text": "consent.title" }),
      slotted("consent",
        html("p", { class: "lead", id: "consent-lead", "data-text": "consent.lead" }),
        html("ul", { class: "facts" }, consentFacts.map((fact) => factItem(fact, level + 1)))),
      // Both answers look the same: neither is the expected one.
      html("div", { class: "actions" },
        html("button", { class: "button quiet", part: "button", type: "button", id: "agree", "data-text": "consent.agree" }),
        html("button",
          { class: "button quiet", part: "button", type: "button", id: "disagree", "data-text": "consent.disagree" }))),
    screen("permission", "card", "permission-title",
      emblem({ "data-tone": "wait" }, svg("path", { d: "M20 34h22v20H20zM42 41l10-5v16l-10-5" })),
      heading("permission-title", { "data-text": "permission.title" }),
      html("p", { class: "lead", "data-text": "permission.lead" })),
    screen("check", "live", "instruction",
      html("div", { class: "told", part: "told" },
        heading("instruction"),
        html("p", { class: "hint", id: "hint", part: "hint", "data-empty": true },
          svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: "M10 5v6M10 14.5v.1" })),
          html("span", { id: "hint-text", dir: "auto" }))),
      stage(),
      html("div", { class: "below" },
        html("p", { class: "count", id: "count", hidden: true }),
        timeRing(),
        html("p", { class: "choice", id: "choice", hidden: true },
          html("label", { for: "cameras", "data-text": "camera.choose" }),
          html("select", { id: "cameras" })),
        html("button",
          { class: "button quiet", part: "decline", type: "button", id: "decline", hidden: true,
            "data-text": "light.decline" }),
        html("button", { class: "plain", type: "button", id: "stop", "data-text": "check.stop" }))),
    screen("ending", "card", "ending-title",
      emblem({ id: "emblem" },
        svg("path", { "data-for": "good", d: "M22 45l10 10 19-21" }),
        svg("path", { "data-for": "bad", d: "M25 33l22 22M47 33L25 55" }),
        svg("path", { "data-for": "late", d: "M36 26v19l12 8" }),
        svg("path", { "data-for": "wait", d: "M36 26v22M36 60v.1" })),
      heading("ending-title"),
      html("p", { class: "lead", id: "ending-text" }),
      html("ul", { class: "steps", id: "ending-steps" }),
      matchResult(level + 1),
      slotted("ending"),
      html("div", { class: "actions", id: "ending-actions" },
        html("button", { class: "button", part: "button", type: "button", id: "again" }),
        leave),
      html("p", { class: "aside", id: "ending-note" }),
      html("p", { class: "aside reference", id: "ending-reference", hidden: true },
        html("span"), html("code", { id: "check-id", dir: "ltr" }), html("span"),
        html("button", { class: "plain", type: "button", id: "copy-id", "data-text": "ending.copy" }))),
    html("p", { class: "visually-hidden", id: "polite", "aria-live": "polite" }),
    html("p", { class: "visually-hidden", id: "assertive", "aria-live": "assertive" }),
  ];
}

function screen(name, look, title, ...parts) {
  const names = { part: name, "data-screen": name, "aria-labelledby": title };
  return html("section", { class: `screen ${look}`, hidden: true, ...names }, ...parts.flat());
}

const facts = [
  { key: "welcome.tasks", picture: ["M16 3.5c-7.5 7-7.5 18 0 25"], oval: true },
  { key: "welcome.2", picture: ["M3 9h18v14H3zM21 14l8-4v12l-8-4"] },
  {
    key: "welcome.3",
    picture: [
      "M10.5 16a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0",
      "M16 3v4M16 25v4M3 16h4M25 16h4M6.8 6.8l2.9 2.9M22.3 22.3l2.9 2.9M6.8 25.2l2.9-2.9M22.3 9.7l2.9-2.9",
    ],
  },
];

const consentFacts = [
  {
    key: "consent.compare",
    picture: ["M3 14.5a8 10.5 0 1 0 16 0a8 10.5 0 1 0-16 0", "M17 6a8 10.5 0 1 1-4 20"],
  },
  { key: "consent.kept", picture: ["M7 14h18v13H7zM11 14v-4a5 5 0 0 1 10 0v4M16 19v3.5"] },
  { key: "consent.choice", picture: ["M5 16h22M20 9l7 7l-7 7M12 9l-7 7l7 7"] },
];

/** Builds the result of the comparison, apart from the result of the check; `MatchView` fills it. */
function matchResult(level) {
  const picture = (id, key) => html("figure", { id: `${id}-figure`, hidden: true },
    html("img", { id, alt: "", width: "160", height: "200" }), html("figcaption", { "data-text": key }));
  return html("section", { class: "match", id: "match", part: "match", hidden: true, "aria-labelledby": "match-title" },
    html(`h${level}`, { class: "match-title", id: "match-title", "data-text": "match.title" }),
    html("div", { class: "pair", id: "match-pair" },
      picture("match-reference", "match.picture"), picture("match-live", "match.live")),
    html("p", { class: "match-decision" },
      svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
        svg("circle", { cx: 12, cy: 12, r: 10 }),
        svg("path", { "data-for": "good", d: "M7.5 12.5l3 3l6-6.5" }),
        svg("path", { "data-for": "bad", d: "M8.5 8.5l7 7M15.5 8.5l-7 7" }),
        svg("path", { "data-for": "wait", d: "M12 7v6M12 16.5v.1" }),
        svg("path", { "data-for": "none", d: "M8 12h8" })),
      html("strong", { id: "match-decision" })),
    html("p", { class: "match-text", id: "match-text" }));
}

function factItem({ key, picture, oval }, level) {
  const lines = picture.map((d) => svg("path", { class: oval ? "axis" : null, d }));
  if (oval) lines.unshift(svg("ellipse", { cx: 16, cy: 16, rx: 9.5, ry: 12.5 }));
  return html("li", {},
    svg("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" }, lines),
    html("div", {},
      html(`h${level}`, { class: "fact-title", "data-text": `${key}.title` }),
      html("p", { "data-text": `${key}.text` })));
}

function emblem(attributes, ...paths) {
  return svg("svg", { class: "emblem", viewBox: "0 0 72 88", "aria-hidden": "true", ...attributes },
    svg("ellipse", { cx: 36, cy: 44, rx: 32, ry: 40 }), paths);
}

/** Builds the video and its overlay. Left is the subject's left in every language, so the text direction is fixed. */
function stage() {
  return html("div", { class: "stage", part: "stage", id: "stage", dir: "ltr" },
    html("video", { id: "video", playsinline: true, muted: true, autoplay: true, "aria-hidden": "true" }),
    svg("svg", { class: "drawing", id: "drawing", "aria-hidden": "true", focusable: "false" }),
    html("p", { class: "answer no", id: "answer-no", "aria-hidden": "true", hidden: true },
      svg("svg", { viewBox: "0 0 24 24" }, svg("path", { d: "M20 17C19 9 13 6 5 8M10 3L4.5 8l5.5 4.5" })),
      html("span", { dir: "auto", "data-text": "answer.no" })),
    html("p", { class: "answer yes", id: "answer-yes", "aria-hidden": "true", hidden: true },
      html("span", { dir: "auto", "data-text": "answer.yes" }),
      svg("svg", { viewBox: "0 0 24 24" }, svg("path", { d: "M4 17C5 9 11 6 19 8M14 3l5.5 5-5.5 4.5" }))),
    html("div", { class: "cover", part: "cover", id: "cover", hidden: true },
      html("div", {},
        html("span", { class: "spinner", "aria-hidden": "true" }),
        html("p", { id: "cover-text", dir: "auto" }))));
}
