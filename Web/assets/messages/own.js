// An avatar of the person's own: a sheet of six sprites that stays on this device.

const name = "mien.sheet";
const size = { width: 768, height: 512 };
const largest = 1_500_000; // bytes; what browsers keep for a page is a few megabytes

/** The sheet as an address for pictures, or null. */
export function ownSheet() {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** The sheet as the file that it was. */
export function ownFile() {
  const [, body] = ownSheet().split(",");
  return new Blob([Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))], { type: "image/png" });
}

/** Keeps a sheet; false when it is no PNG of the right size, or cannot be kept. */
export async function keepSheet(file) {
  if (file.size > largest || !(await isPNG(file))) return false;
  try {
    const image = await createImageBitmap(file);
    if (image.width !== size.width || image.height !== size.height) return false;
    localStorage.setItem(name, await addressOf(file));
    return true;
  } catch {
    return false; // no picture, or storage is switched off or full
  }
}

export function forgetSheet() {
  try {
    localStorage.removeItem(name);
  } catch {
    // storage is switched off: nothing was kept
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
