// Options of the element: each is an attribute, a property, or both; the property takes precedence.

/** Attributes whose changes are applied immediately. */
export const watched = [
  "session-id", "session-token", "lang", "scheme", "modal", "allow-audio", "brand-name", "brand-color", "brand-logo",
  "brand-logo-alt", "hide-logo-on-mobile", "show-powered-by", "powered-by-text", "powered-by-logo", "user-first-name",
  "fixed-language", "tasks", "abilities",
];

/** Returns the branding options under the vendor's names. */
export function readBranding(element, given) {
  const text = (name) => element.getAttribute(name) ?? undefined;
  const flag = (name) => readFlag(element, name);
  const { name, color, logo, logoAlt, hideLogoOnMobile, showPoweredBy, poweredByText, poweredByLogo } = given ?? {};
  return {
    name: name ?? text("brand-name"),
    color: color ?? text("brand-color"),
    logo: logo ?? text("brand-logo"),
    logoAlt: logoAlt ?? text("brand-logo-alt"),
    hideLogoOnMobile: hideLogoOnMobile ?? flag("hide-logo-on-mobile"),
    showPoweredBy: showPoweredBy ?? flag("show-powered-by"),
    poweredByText: poweredByText ?? text("powered-by-text"),
    poweredByLogo: poweredByLogo ?? text("powered-by-logo"),
  };
}

/** Returns the user's data, as far as the page provides it. */
export function readUser(element, given) {
  const { firstName, lastName, email } = given ?? {};
  return {
    firstName: firstName ?? element.getAttribute("user-first-name") ?? undefined,
    lastName: lastName ?? element.getAttribute("user-last-name") ?? undefined,
    email: email ?? element.getAttribute("user-email") ?? undefined,
  };
}

/** Returns `true` if the attribute is present, unless its value is "false". */
export function readFlag(element, name) {
  return element.hasAttribute(name) && element.getAttribute(name) !== "false";
}

/** Parses a JSON attribute; returns `null` if it is missing or empty. Throws a `TypeError` if it is not JSON. */
export function readJSON(element, name) {
  const text = element.getAttribute(name);
  if (text === null || text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`mien-liveness: the attribute ${name} is not JSON`, { cause: error });
  }
}
