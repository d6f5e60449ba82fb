"""A camera that shows a rendered head following the server's steps: a real MediaStream of generated images.

Chromium's own fake camera plays a file, but the server picks tasks at random; so `getUserMedia` returns a canvas stream, and the
test draws the next image after each of the server's steps.
"""

from __future__ import annotations

import base64
import time

from playwright.sync_api import Page

from support import performers

CAMERA = """
(() => {
  const ask = fetch;
  let step = null;
  let answers = 0;
  globalThis.fetch = async (...rest) => {
    const reply = await ask(...rest);
    if (String(rest[0]).endsWith("/frames") && reply.ok) reply.clone().json().then((read) => { step = read; answers += 1; });
    return reply;
  };
  async function playFrames(canvas, track) {
    const context = canvas.getContext("2d");
    while (track.readyState === "live") {
      const began = performance.now();
      const text = atob(await nextFrame(step, answers));
      const picture = await createImageBitmap(new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))]));
      context.drawImage(picture, 0, 0);
      // A little faster than the stream takes images; more would cost processor time that other tests lack.
      await new Promise((done) => setTimeout(done, Math.max(10, 50 - (performance.now() - began))));
    }
  }
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 480, height: 360 });
    canvas.getContext("2d").fillRect(0, 0, 480, 360);
    const stream = canvas.captureStream(15);
    playFrames(canvas, stream.getVideoTracks()[0]);
    return stream;
  };
})();
"""


class SyntheticCamera:
    """Renders `performer` (see support/performers.py) for a page's camera."""

    def __init__(self, page: Page, head, performer):
        self.head, self.motion, self.began = head, performers.HeadMotion(performer), time.monotonic()
        self.pictures = 0
        page.expose_function("nextFrame", self._next_frame)
        page.add_init_script(CAMERA)

    def _next_frame(self, step: dict | None, answers: int) -> str:
        self.pictures += 1
        return base64.b64encode(self.head.jpeg(**self.motion.pose(step, time.monotonic() - self.began, answers))).decode()
