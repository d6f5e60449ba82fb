// The element's options: each is an attribute, a property, or both; a property counts more.

/** Attributes whose change is seen at once. */
export const watched = [
  "session-id", "session-token", "lang", "scheme", "modal", "allow-audio", "brand-name", "brand-color", "brand-logo",
  "brand-logo-alt", "hide-logo-on-mobile", "show-powered-by", "powered-by-text", "powered-by-logo", "user-first-name",
  "fixed-language", "tasks", "abilities",
];

/** `branding` as the vendor's options name its parts. */
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

/** The person, as far as the page knows them. */
export function readUser(element, given) {
  const { firstName, lastName, email } = given ?? {};
  return {
    firstName: firstName ?? element.getAttribute("user-first-name") ?? undefined,
    lastName: lastName ?? element.getAttribute("user-last-name") ?? undefined,
    email: email ?? element.getAttribute("user-email") ?? undefined,
  };
}

/** A flag is on when it is there, unless it says "false". */
export function readFlag(element, name) {
  return element.hasAttribute(name) && element.getAttribute(name) !== "false";
}

/** A value in JSON; null when it is not there. */
export function readJSON(element, name) {
  const text = element.getAttribute(name);
  if (text === null || text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TypeError(`mien-liveness: the attribute ${name} is not JSON`, { cause: error });
  }
}
