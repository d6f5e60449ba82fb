// Taps on a canvas that is also dragged: single ones, and double ones, which touch screens do not report everywhere.

const stillness = 6; // pixels; a press that moves farther is a drag
const near = 30; // pixels between the two taps
const soon = 350; // milliseconds between them

/** Calls `tap(x, y)` and `doubleTap(x, y)` with coordinates of -1…1, right and up. Ends with `signal`. */
export function watchTaps(canvas, { tap, doubleTap }, signal) {
  const down = new Map();
  let last = null;
  const options = { signal };
  canvas.addEventListener("pointerdown", ({ pointerId, clientX, clientY, isPrimary }) => {
    if (isPrimary) down.set(pointerId, [clientX, clientY]);
    else down.clear(); // a second finger: this is no tap
  }, options);
  canvas.addEventListener("pointercancel", () => down.clear(), options);
  canvas.addEventListener("pointerup", ({ pointerId, clientX, clientY, timeStamp, button }) => {
    const from = down.get(pointerId);
    down.delete(pointerId);
    if (!from || button > 0 || Math.hypot(clientX - from[0], clientY - from[1]) > stillness) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const place = [((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2];
    const isSecond = last && timeStamp - last.time < soon && Math.hypot(clientX - last.x, clientY - last.y) < near;
    last = isSecond ? null : { time: timeStamp, x: clientX, y: clientY };
    if (isSecond) doubleTap(...place);
    else tap(...place);
  }, options);
}
