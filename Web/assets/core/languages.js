// Languages that have a file in `assets/texts/`, under their own names; the first one is the fallback.

export const languages = [
  { code: "en", name: "English", direction: "ltr" },
  { code: "ar", name: "العربية", direction: "rtl" },
  { code: "de", name: "Deutsch", direction: "ltr" },
  { code: "es", name: "Español", direction: "ltr" },
  { code: "fr", name: "Français", direction: "ltr" },
  { code: "he", name: "עברית", direction: "rtl" },
  { code: "hi", name: "हिन्दी", direction: "ltr" },
  { code: "id", name: "Bahasa Indonesia", direction: "ltr" },
  { code: "it", name: "Italiano", direction: "ltr" },
  { code: "ja", name: "日本語", direction: "ltr" },
  { code: "ko", name: "한국어", direction: "ltr" },
  { code: "nl", name: "Nederlands", direction: "ltr" },
  { code: "pl", name: "Polski", direction: "ltr" },
  { code: "pt", name: "Português", direction: "ltr" },
  { code: "ru", name: "Русский", direction: "ltr" },
  { code: "tr", name: "Türkçe", direction: "ltr" },
  { code: "uk", name: "Українська", direction: "ltr" },
  { code: "vi", name: "Tiếng Việt", direction: "ltr" },
  { code: "zh-Hans", name: "简体中文", direction: "ltr" },
  { code: "zh-Hant", name: "繁體中文", direction: "ltr" },
];

/** Returns the language of the first tag that has texts, or the fallback. */
export function bestLanguage(preferred) {
  for (const tag of preferred) {
    const code = codeOf(localeOf(tag));
    const found = languages.find((language) => language.code === code);
    if (found) return found;
  }
  return languages[0];
}

/**
 * Returns the tag by which `Intl` formats numbers and times in a language: the first preferred tag of the language that names a
 * region, such as `en-GB`, or the language's code.
 */
export function regionalTag(code, preferred) {
  return preferred.map(localeOf).find((locale) => locale?.region && codeOf(locale) === code)?.toString() ?? code;
}

/** Parses a language tag, and replaces old codes by current ones: `iw` by `he`, `in` by `id`. */
function localeOf(tag) {
  try {
    return new Intl.Locale(tag.replaceAll("_", "-"));
  } catch {
    return null; // no tag, or an invalid one
  }
}

/** Returns the code of a locale's texts. Chinese has texts by script, which follows from the region: `zh-HK` is `zh-Hant`. */
function codeOf(locale) {
  return locale?.language === "zh" ? `zh-${locale.maximize().script}` : locale?.language;
}
