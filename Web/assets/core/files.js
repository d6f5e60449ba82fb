// The client's texts and style sheets, which lie next to its modules. `Clients/element/build` replaces this module by one that
// contains them.

const folder = new URL("../", import.meta.url);

/** Origin of the client's files: the server, unless the files were copied elsewhere. */
export const home = folder.origin;

/** Returns the text of a file, named relative to `assets`. */
export async function loadFile(path) {
  const reply = await fetch(new URL(path, folder), { credentials: "omit" });
  if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
  return reply.text();
}
