// Draft of a scan that is not uploaded yet, stored on this device: photos, files, and the ID of the scan. Without a
// database (private windows), it lasts until the page is closed.

const name = "mien.scan";
const store = "drafts";
const current = "current";
// Files beyond this total have to be chosen again after a reload; copying them could fill the device.
const keptBytes = 96 << 20;
const sampled = 64 << 10;

/** An empty draft; `photos` of a face has a place for each view, `null` if it is missing. */
export const emptyDraft = () => ({
  id: current, subject: "", subjectId: null, label: "", kind: null, photos: [], files: [], scan: null,
});

let database = null;
let order = Promise.resolve();

/** Returns the draft of the last visit, or an empty one. Files that were too large to store have no bytes. */
export async function recallDraft() {
  try {
    database = await open();
    return { ...emptyDraft(), ...(await ask("readonly", (drafts) => drafts.get(current))) };
  } catch {
    return emptyDraft();
  }
}

/** Saves the draft. Saves are executed in the order of the calls. */
export function keepDraft(draft) {
  const kept = { ...draft, files: draft.files.map((file) => ({ ...file })) };
  let bytes = 0;
  for (const file of kept.files) {
    bytes += file.blob?.size ?? 0;
    if (bytes > keptBytes) file.blob = null;
  }
  order = order.then(() => put(kept)).catch(() => put(withoutBytes(kept))).catch(() => {});
  return order;
}

export function forgetDraft() {
  order = order.then(() => database && ask("readwrite", (drafts) => drafts.delete(current))).catch(() => {});
  return order;
}

/**
 * Returns the fingerprint of a file: its name, its size, and, where digests are available, a digest of its start and
 * end.
 */
export async function fingerprint(path, blob) {
  const base = `${path}:${blob.size}`;
  if (!crypto.subtle) return base;
  const parts = new Blob([blob.slice(0, sampled), blob.slice(Math.max(0, blob.size - sampled))]);
  const digest = await crypto.subtle.digest("SHA-256", await parts.arrayBuffer());
  return `${base}:${Array.from(new Uint8Array(digest).slice(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Removes the files' bytes when the disk is full: the photos matter more than copies of files that the user has. */
function withoutBytes(draft) {
  return { ...draft, files: draft.files.map((file) => ({ ...file, blob: null })) };
}

function put(draft) {
  return database ? ask("readwrite", (drafts) => drafts.put(draft)) : null;
}

function open() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(store, { keyPath: "id" });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = opening.onblocked = () => reject(opening.error);
  });
}

function ask(mode, action) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, mode);
    const request = action(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}
