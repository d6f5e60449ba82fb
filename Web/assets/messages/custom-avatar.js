// The user's own avatar: a sheet of six sprites, stored only on this device.

const name = "mien.sheet";
const size = { width: 768, height: 512 };
const largest = 1_500_000; // bytes; browsers limit local storage to a few megabytes

/** Returns the sheet as a data URL, or `null`. */
export function ownSheet() {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Returns the sheet as the original PNG file. */
export function ownFile() {
  const [, body] = ownSheet().split(",");
  return new Blob([Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))], { type: "image/png" });
}

/** Stores a sheet. Returns `false` if it is not a PNG of the right size or cannot be stored. */
export async function keepSheet(file) {
  if (file.size > largest || !(await isPNG(file))) return false;
  try {
    const image = await createImageBitmap(file);
    if (image.width !== size.width || image.height !== size.height) return false;
    localStorage.setItem(name, await addressOf(file));
    return true;
  } catch {
    return false; // not an image, or storage is disabled or full
  }
}

export function forgetSheet() {
  try {
    localStorage.removeItem(name);
  } catch {
    // Storage is disabled: nothing was stored.
  }
}

async function isPNG(file) {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return [137, 80, 78, 71, 13, 10, 26, 10].every((byte, index) => start[index] === byte);
}

function addressOf(file) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(`data:image/png;base64,${reader.result.split(",")[1]}`));
    reader.addEventListener("error", fail);
    reader.readAsDataURL(file);
  });
}
