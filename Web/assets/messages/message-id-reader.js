// Reads the message ID from a file: from the comment of a GIF in the browser, otherwise from the pixels on the server.

import { Problem } from "../core/session-client.js";
import { numberOfPicture } from "./api.js";
import { isPicture, isWhole, numberInPicture } from "./message-id.js";

const largestGIF = 8 * 1024 * 1024; // the server's limit
const largest = 200_000_000;
const longestSide = 2800;
// Positions in seconds before the end of a video. In videos that do not state how long the last frame is shown, that
// frame starts at the very end.
const lastMoments = [0.05, 0.4, 0];
const beyondTheEnd = 1e9; // seconds

/**
 * Returns `{ number }`, for a GIF `{ number, gif }`, for a damaged one `{ number, isDamaged }`, or `{ wrong }` with the key
 * of the error text. Throws a `Problem` or an `Unreachable` if the server rejects the request or does not respond.
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
  const bytes = new Uint8Array(await file.arrayBuffer());
  const number = numberInPicture(bytes);
  const isDamaged = !isWhole(bytes);
  const gif = isDamaged ? null : file;
  if (number) return { number, gif, isDamaged };
  if (file.size > largestGIF) return { wrong: isDamaged ? "broken" : "too-large" };
  try {
    const found = await read(new Blob([file], { type: "image/gif" }));
    return isDamaged && found.wrong ? { wrong: "broken" } : { gif, isDamaged, ...found };
  } catch (error) {
    // A damaged header may state any size, so what the server calls too large may be damaged as well.
    const isBroken = error instanceof Problem && (error.code === "not-an-image" || (isDamaged && error.code === "image-too-large"));
    if (isBroken) return { wrong: "broken" };
    throw error;
  }
}

async function read(picture) {
  const { id, found } = await numberOfPicture(picture);
  return id ? { number: id } : { wrong: found === "damaged" ? "damaged" : "no-comment" };
}

/** Converts an image in any format that the browser supports to PNG; returns `null` if it is not an image. */
async function stillOf(file) {
  try {
    const image = await createImageBitmap(file);
    return await png(image, image.width, image.height);
  } catch {
    return null;
  }
}

/** Returns the frame `before` seconds before the end of a video as PNG, or `null` if the file is not a video. */
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

/**
 * Returns the duration in seconds. Files recorded by a browser state no duration: seeking past the end makes the
 * browser determine it.
 */
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
