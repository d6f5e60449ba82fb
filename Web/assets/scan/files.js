// Depth files and folders from inputs and drops, each as `{ path, blob }`, without files that operating systems leave
// behind and without empty ones.

const litter = /(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$/i;

export function fromInput(list) {
  return useful(Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, blob: file })));
}

/**
 * Returns the dropped files. The entries are collected before the first `await`: the browser clears them when the event
 * is over.
 */
export async function fromDrop(transfer) {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (entries.length === 0) return fromInput(transfer.files);
  return useful((await Promise.all(entries.map((entry) => walk(entry, "")))).flat());
}

function useful(files) {
  return files.filter(({ path, blob }) => !litter.test(path) && blob.size > 0)
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

async function walk(entry, parent) {
  const path = parent + entry.name;
  if (entry.isFile) return [{ path, blob: await new Promise((done, fail) => entry.file(done, fail)) }];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // A reader returns at most 100 entries at a time.
    const some = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return found;
    found.push(...(await Promise.all(some.map((each) => walk(each, `${path}/`)))).flat());
  }
}
