// The client's texts and style sheets. Where its modules are combined into one file, the two constants are replaced: by the server
// (`Sources/Server/MienPages`), and by `Clients/element/build`.

/** Files that came with the code, by their path. */
const contents = {};
const textsPath = "texts/{language}.json";

/** Origin of the client's files: the server, unless the files were copied elsewhere. */
export const home = new URL(import.meta.url).origin;

/** Returns the text of a file of the server at `origin`, named relative to `assets`. */
export async function loadFile(path, origin = home) {
  if (Object.hasOwn(contents, path)) return contents[path];
  // The same mode as that of the page's announcement of the texts, so that they are loaded once.
  const reply = await fetch(new URL(`/assets/${path}`, origin), { credentials: "same-origin" });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.text();
}

/** Returns the texts of a language by their keys. Texts that the server does not have yet are in English, if it came with the code. */
export async function loadTexts(language, origin) {
  const path = (code) => textsPath.replace("{language}", code);
  const texts = JSON.parse(await loadFile(path(language), origin));
  const english = contents[path("en")];
  return english && language !== "en" ? { ...JSON.parse(english), ...texts } : texts;
}
