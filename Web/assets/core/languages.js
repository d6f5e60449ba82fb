// Languages that have a file in `assets/texts/`, under their own names; the first one is the fallback.

export const languages = [
  { code: "en", name: "English", direction: "ltr" },
  { code: "ar", name: "العربية", direction: "rtl" },
  { code: "de", name: "Deutsch", direction: "ltr" },
  { code: "es", name: "Español", direction: "ltr" },
  { code: "fr", name: "Français", direction: "ltr" },
  { code: "he", name: "עברית", direction: "rtl" },
  { code: "it", name: "Italiano", direction: "ltr" },
  { code: "nl", name: "Nederlands", direction: "ltr" },
  { code: "pl", name: "Polski", direction: "ltr" },
  { code: "pt", name: "Português", direction: "ltr" },
  { code: "tr", name: "Türkçe", direction: "ltr" },
];

/** Returns the language of the first tag that has texts, or the fallback. */
export function bestLanguage(wishes) {
  for (const tag of wishes) {
    const primary = tag?.toLowerCase().split(/[-_]/)[0];
    // Some browsers still use the old code for Hebrew.
    const found = languages.find(({ code }) => code === (primary === "iw" ? "he" : primary));
    if (found) return found;
  }
  return languages[0];
}
