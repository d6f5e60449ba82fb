// A list of languages to choose from.

import { languages } from "./languages.js";

/** Fills a list with every language under its own name. */
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
