// The check page: puts the parts together. It shows what the server says and decides nothing.

import { hasText, loadTexts, showPage } from "../shared/texts.js";
import { Announcer } from "./announcer.js";
import { CameraChoice } from "./camera-choice.js";
import { Camera, CameraTrouble, missingSupport } from "./camera.js";
import { forgetCheck, givenCheck, withClient } from "./credentials.js";
import { FrameSource } from "./frames.js";
import { Oval } from "./oval.js";
import { askForCheck, runCheck } from "./run.js";
import { showEnding, showScreen } from "./screens.js";
import { createDemoCheck, Problem } from "./session-client.js";
import { StepView } from "./step-view.js";

const find = (id) => document.getElementById(id);
const video = find("video");
const camera = new Camera(video);
const announcer = new Announcer(find("polite"), find("assertive"));
const view = new StepView(announcer);
const oval = new Oval(find("stage"), video, find("drawing"));
const choice = new CameraChoice(camera, (error) => end(ofTrouble(error)));
const given = givenCheck();
/** Problems after which the server will take no more frames of this check. */
const final = ["token-expired", "unauthorised", "forbidden", "not-found", "check-over"];
let session = given;
let running = new AbortController();

/** From a press of a button to an ending. */
async function start() {
  running.abort();
  const { signal } = (running = new AbortController());
  announcer.hush();
  oval.clear();
  try {
    showScreen("permission");
    await camera.open();
    if (signal.aborted) return;
    view.clear("check.starting");
    showScreen("check");
    await choice.refresh();
    const cover = (key) => view.cover(key);
    session = given ? session : await askForCheck({ create: newDemoCheck, signal, cover });
    if (signal.aborted) return;
    const show = (step) => {
      view.show(step);
      oval.show(step);
    };
    const outcome = await runCheck({ session, frames: new FrameSource(video), signal, show, cover });
    if (outcome.kind !== "stopped") end(ofOutcome(outcome));
  } catch (error) {
    if (!signal.aborted) end(ofTrouble(error));
  }
}

async function newDemoCheck() {
  return withClient(await createDemoCheck());
}

/** Stops the camera, tells the end, and tells the page around us, if it listens. */
function end({ over, ...ending }) {
  running.abort();
  camera.close();
  const reference = session?.id ?? null;
  if (over) {
    forgetCheck();
    document.dispatchEvent(new CustomEvent("mien:check-over", { bubbles: true, detail: { id: reference, ...over } }));
  }
  showEnding({ ...ending, reference }, announcer);
}

/** The ending for what the server decided, or for its refusal to go on. */
function ofOutcome(outcome) {
  if (outcome.kind === "problem") return ofProblem(outcome.code);
  const { state, reason } = outcome.step;
  const over = { state, reason };
  if (state === "passed") {
    return { key: "passed", tone: "good", over, note: given && "passed.note", again: given ? null : "again.another" };
  }
  const key = hasText(`reason.${reason}.title`) ? `reason.${reason}` : "reason.unknown";
  const tone = state === "timed-out" || reason === "timed-out" || reason === "expired" ? "late" : "bad";
  return { key, tone, over, note: given && "failed.note", again: given ? null : "again.try" };
}

function ofProblem(code) {
  const key = hasText(`problem.${code}.title`) ? `problem.${code}` : "problem.unknown";
  const over = final.includes(code) ? { state: "problem", reason: code } : null;
  const back = given && over; // only the app that sent the person here can make another check
  return { key, tone: "wait", over, note: back && "failed.note", again: back ? null : "again.try" };
}

/** The ending for trouble on this side; a given check goes on with Try again. */
function ofTrouble(error) {
  if (error instanceof Problem) return ofProblem(error.code);
  const code = error instanceof CameraTrouble ? `camera-${error.code}` : "page";
  return { key: `trouble.${code}`, tone: "wait", again: "again.try" };
}

camera.onLost = () => end({ key: "trouble.camera-lost", tone: "wait", again: "again.try" });
find("begin").addEventListener("click", start);
find("again").addEventListener("click", start);
find("stop").addEventListener("click", () => end({ key: "stopped", tone: "wait", again: "again.try" }));
addEventListener("hashchange", () => location.reload()); // a new link in the same tab
addEventListener("pagehide", () => camera.close());

await loadTexts();
showPage();
const missing = missingSupport();
if (missing) showEnding({ key: `trouble.${missing}`, tone: "wait" }, announcer);
else showScreen("welcome", { focus: false });
