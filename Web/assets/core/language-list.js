// Options of a language list.

import { languages } from "./languages.js";

/** Fills a list with all languages, each under its own name. */
export function fillLanguages(list, current) {
  list.replaceChildren(
    ...languages.map(({ code, name, direction }) => {
      const option = new Option(name, code, false, code === current);
      option.lang = code;
      option.dir = direction;
      return option;
    }),
  );
}
