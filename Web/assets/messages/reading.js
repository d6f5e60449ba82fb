// The number in a file: of a GIF its comment, read here; of what became of it the pixels, read by the server.

import { numberOfPicture } from "./api.js";
import { isPicture, numberInPicture } from "./number.js";

const largestGIF = 8 * 1024 * 1024; // what the server takes
const largest = 200_000_000;
const longestSide = 2800;
// Seconds before the end of a video. The very end is where the last picture begins in films that do not say how long it stands.
const lastMoments = [0.05, 0.4, 0];
const beyondTheEnd = 1e9; // seconds

/**
 * `{ number }`, of a GIF `{ number, film }`, or `{ wrong }` with the key of what to say. Throws what the server's silence or refusal is told by.
 */
export async function numberInFile(file) {
  if (file.size > largest) return { wrong: "too-large" };
  let start;
  try {
    start = new Uint8Array(await file.slice(0, 6).arrayBuffer());
    if (isPicture(start)) return await ofGIF(file);
  } catch (error) {
    if (error instanceof DOMException) return { wrong: "unreadable" };
    throw error;
  }
  const pictures = file.size === 0 ? [] : [stillOf, ...lastMoments.map((before) => (of) => momentOf(of, before))];
  let wrong = "not-a-gif";
  for (const picture of pictures) {
    const png = await picture(file);
    if (!png) continue;
    const found = await read(png);
    if (found.number) return found;
    if (wrong !== "damaged") ({ wrong } = found);
    if (picture === stillOf) break;
  }
  return { wrong };
}

async function ofGIF(file) {
  const number = numberInPicture(new Uint8Array(await file.arrayBuffer()));
  if (number) return { number, film: file };
  if (file.size > largestGIF) return { wrong: "too-large" };
  return { film: file, ...await read(new Blob([file], { type: "image/gif" })) };
}

async function read(picture) {
  const { id, found } = await numberOfPicture(picture);
  return id ? { number: id } : { wrong: found === "damaged" ? "damaged" : "no-comment" };
}

/** A picture of any kind that the browser knows, as PNG; null when it is none. */
async function stillOf(file) {
  try {
    const image = await createImageBitmap(file);
    return await png(image, image.width, image.height);
  } catch {
    return null;
  }
}

/** What a video shows `before` seconds before its end, as PNG; null when it is none. */
async function momentOf(file, before) {
  const address = URL.createObjectURL(file);
  const video = Object.assign(document.createElement("video"), { muted: true, preload: "auto", src: address });
  try {
    await happened(video, "loadeddata");
    video.currentTime = Math.max(0, await endOf(video) - before);
    await happened(video, "seeked");
    return await png(video, video.videoWidth, video.videoHeight);
  } catch {
    return null;
  } finally {
    video.removeAttribute("src");
    URL.revokeObjectURL(address);
  }
}

/** Seconds. What a browser has recorded states no length: the browser looks for the end when it is sent beyond it. */
async function endOf(video) {
  if (Number.isFinite(video.duration)) return video.duration;
  video.currentTime = beyondTheEnd;
  await happened(video, "seeked");
  return Number.isFinite(video.duration) ? video.duration : video.currentTime;
}

function happened(video, event) {
  return new Promise((done, fail) => {
    video.addEventListener(event, done, { once: true });
    video.addEventListener("error", fail, { once: true });
    setTimeout(fail, 10_000);
  });
}

async function png(source, width, height) {
  const scale = Math.min(1, longestSide / Math.max(width, height));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)),
  });
  canvas.getContext("2d").drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}
