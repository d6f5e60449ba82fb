"""Tests of cameras: denied, absent, busy, several; and of the frames sent."""

from __future__ import annotations

from browser.environment import LANDSCAPE, BrowserEnvironment, begin, ending, equal, screen, true, until

FAIL_AS = """
navigator.mediaDevices.getUserMedia = async () => { throw new DOMException("", "%s"); };
"""


def check_problem(env: BrowserEnvironment, page, title: str, name: str) -> None:
    begin(page, env.server.url + "/check")
    equal(ending(page), title, "heading")
    true(page.locator("#ending-steps li").count() > 0, "says what to do")
    true(page.is_visible("#again"), "offers Try again")
    env.shoot(page, name)


def test_denied_camera_is_explained(env: BrowserEnvironment) -> None:
    """A denied camera is explained."""
    with env.page(env.browser(asks=True), camera=False) as page:
        check_problem(env, page, "The camera is blocked", "camera-refused")


def test_missing_camera_is_explained_and_can_be_retried(env: BrowserEnvironment) -> None:
    """A missing camera is explained, and Try again works once there is one."""
    with env.page(env.browser(cameras=0), scheme="dark") as page:
        check_problem(env, page, "No camera found", "camera-absent")


def test_busy_camera_is_explained_and_can_be_retried(env: BrowserEnvironment) -> None:
    """A busy camera is explained, and Try again works once it is free."""
    with env.page(env.browser(), size=LANDSCAPE) as page:
        page.add_init_script(
            "globalThis.real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);"
            + FAIL_AS % "NotReadableError")
        check_problem(env, page, "The camera isn’t sending a picture", "camera-busy")
        page.evaluate("() => { navigator.mediaDevices.getUserMedia = real; }")
        page.click("#again")
        page.wait_for_selector(screen("check"))


def test_remembered_busy_camera_blocks_nobody(env: BrowserEnvironment) -> None:
    """A remembered camera that another program uses does not block the check."""
    with env.page(env.browser()) as page:
        page.add_init_script("""
          localStorage.setItem("mien.camera", "held");
          const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
          navigator.mediaDevices.getUserMedia = (constraints) => constraints.video.deviceId?.exact === "held"
            ? Promise.reject(new DOMException("", "NotReadableError")) : real(constraints);""")
        begin(page, env.server.url + "/check")
        page.wait_for_selector(screen("check"))


def test_disconnected_camera_is_explained(env: BrowserEnvironment) -> None:
    """A camera that disconnects during the check is explained."""
    with env.page(env.browser()) as page:
        begin(page, env.server.url + "/check")
        page.wait_for_selector(screen("check"))
        page.evaluate("video.srcObject.getVideoTracks()[0].dispatchEvent(new Event('ended'))")
        equal(ending(page), "Camera disconnected", "heading")


def test_browser_without_cameras_is_explained(env: BrowserEnvironment) -> None:
    """A browser without camera support is explained."""
    with env.page(env.browser()) as page:
        page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
        page.goto(env.server.url + "/check")
        equal(ending(page), "This browser can’t run the check", "heading")
        true(not page.is_visible("#again"), "there is nothing to try again")
        env.shoot(page, "unsupported")


def test_camera_can_be_chosen_and_is_remembered(env: BrowserEnvironment) -> None:
    """With several cameras one can be chosen during the check, and is remembered."""
    with env.page(env.browser(cameras=2)) as page:
        begin(page, env.server.url + "/check")
        page.wait_for_selector("#choice:not([hidden])")
        before = page.input_value("#cameras")
        other = page.evaluate("[...cameras.options].find((option) => !option.selected).value")
        env.shoot(page, "camera-choice")
        page.select_option("#cameras", other)
        in_use = "video.srcObject?.getVideoTracks()[0].getSettings().deviceId"
        until(page, f"{in_use} === {other!r}")
        until(page, f"localStorage.getItem('mien.camera') === {other!r}")
        true(other != before, "another camera")
        page.wait_for_selector(screen("check"))
        begin(page, env.server.url + "/check")
        page.wait_for_selector("#choice:not([hidden])")
        equal(page.evaluate(in_use), other, "the camera after a new visit")


def test_frames_are_sent_in_order_unmirrored_and_small(env: BrowserEnvironment) -> None:
    """Frames are sent in order, few at once, unmirrored, within 480 by 360, as one client."""
    sent: list = []
    under_way = most = 0
    with env.page(env.browser(env.footage.two_halves())) as page:
        def on_frame(request) -> None:
            nonlocal under_way, most
            if request.url.endswith("/frames"):
                sent.append(request)
                under_way += 1
                most = max(most, under_way)

        def on_reply(request) -> None:
            nonlocal under_way
            if request.url.endswith("/frames"):
                under_way -= 1

        page.on("request", on_frame)
        page.add_init_script(KEEP_BODIES)
        page.on("requestfinished", on_reply)
        begin(page, env.server.url + env.server.create("turn-left")["page"])
        page.wait_for_selector(screen("check"))
        while len(sent) < 6:
            page.wait_for_timeout(100)
        # How many depends on the machine. The browser may tell a request before the end of the one that it waited for.
        true(most <= LONGEST_WINDOW + 1, f"{most} frames under way")
        numbers = [int(request.headers["mien-frame"]) for request in sent]
        true(all(b > a for a, b in zip(numbers, numbers[1:])), f"in order: {numbers}")
        equal(len({request.headers["mien-client"] for request in sent}), 1, "clients")
        # A gap of 65 ms holds on average; a frame that was taken late shortens the next gap by half at most.
        clock = [float(request.headers["mien-captured-at"]) for request in sent]
        true(all(b - a >= 22 for a, b in zip(clock, clock[1:])), f"no bursts: {clock}")
        true(clock[5] - clock[0] >= 5 * 49, f"at most 20 a second: {clock}")
        equal({request.headers["content-type"] for request in sent}, {"image/jpeg"}, "media type")
        picture = page.evaluate(HALVES)
        equal(picture["start"], [0xFF, 0xD8, 0xFF], "a JPEG")
        equal((picture["width"], picture["height"]), (480, 270), "size")
        true(picture["left"][0] > 150 > picture["left"][2], f"left is red: {picture}")
        true(picture["right"][2] > 150 > picture["right"][0], f"right is blue: {picture}")
        shown = page.evaluate("getComputedStyle(video).transform")
        equal(shown, "matrix(-1, 0, 0, 1, 0, 0)", "the preview is a mirror")


# As in Web/assets/core/session-client.js.
LONGEST_WINDOW = 6
# Playwright does not expose request bodies that are blobs.
KEEP_BODIES = """
globalThis.bodies = [];
const send = fetch;
globalThis.fetch = (path, options = {}) => {
  if (options.body instanceof Blob) bodies.push(options.body);
  return send(path, options);
};
"""
HALVES = """
async () => {
  const body = bodies[2];
  const start = [...new Uint8Array(await body.arrayBuffer()).slice(0, 3)];
  const bitmap = await createImageBitmap(body);
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.drawImage(bitmap, 0, 0);
  const at = (x) => [...context.getImageData(x * width, height / 2, 1, 1).data.slice(0, 3)];
  return { start, width, height, left: at(0.25), right: at(0.75) };
}
"""
