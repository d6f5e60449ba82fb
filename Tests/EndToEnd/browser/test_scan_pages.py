"""Tests of depth scans: the four steps with the camera, resuming an interrupted upload, the result, the list."""

from __future__ import annotations

import json
import re
import tempfile
import time
from pathlib import Path

import cv2
import numpy

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, true, until
from browser.page_checks import SMALL_TEXT
from browser.photo_pages import Api, EN, upload
from browser.scan_pages import new_scan, visitor
from support.capture_files import BOUNDARY, form
from support.serving import wait

WIDTH, HEIGHT = 256, 192
PIECE = 4 << 20  # bytes per request of the page


def ball(frames: int, shift: int = 0) -> bytes:
    """Renders depth maps in millimeters of a ball of 15 cm in front of a plane; `shift` makes a different recording."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    u, v = (x - WIDTH / 2) / 212.0, (y - HEIGHT / 2) / 212.0
    a, near = 1 + u * u + v * v, 600 + shift
    inside = near * near - a * (near * near - 150 * 150)
    depth = numpy.where(inside > 0, (near - numpy.sqrt(numpy.maximum(inside, 0))) / a, 900 + shift)
    return numpy.round(depth).astype("<u2").tobytes() * frames


def recording(frames: int, shift: int = 0) -> list[dict]:
    """Returns the depth as files: raw maps and their metadata."""
    said = {"photo_count": 3, "depth_frame_count": frames, "total_depth_bytes": frames * WIDTH * HEIGHT * 2,
            "depth_format": {"width": WIDTH, "height": HEIGHT, "pixel": "uint16_mm"}}
    return [upload("depth_scan.bin", ball(frames, shift), "application/octet-stream"),
            upload("metadata.json", json.dumps(said).encode(), "application/json")]


def colored_recording(frames: int) -> list[dict]:
    """Returns the ball and one colorful image with its camera pose, in 3D Scanner App's format."""
    camera = {"cameraPoseARFrame": [1, 0, 0, 0, 0, 1, 0, 1.5, 0, 0, 1, 0, 0, 0, 0, 1], "intrinsics": [1590, 0, 960, 0, 1590, 720, 0, 0, 1],
              "projectionMatrix": [1.65625, 0, 0, 0, 0, 2.20833, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0]}
    down, across = numpy.mgrid[0:1440, 0:1920]
    picture = numpy.dstack([60 + across / 20, 40 + (down // 24 + across // 24) % 2 * 110, 200 - down / 12]).astype(numpy.uint8)
    depth = numpy.frombuffer(ball(1), "<u2").reshape(HEIGHT, WIDTH)
    files = [upload("frame_00000.jpg", cv2.imencode(".jpg", picture)[1].tobytes(), "image/jpeg")]
    for number in range(frames):
        files += [upload(f"depth_{number:05}.png", cv2.imencode(".png", depth)[1].tobytes()),
                  upload(f"frame_{number:05}.json", json.dumps({**camera, "time": 100 + number / 30}).encode(), "application/json")]
    return files


def stray_scanner_folder(folder: Path, frames: int) -> None:
    """Writes the ball as a Stray Scanner folder, with the hidden files that operating systems add."""
    for each in ("depth", "confidence"):
        (folder / each).mkdir(parents=True)
    depth = numpy.frombuffer(ball(1), "<u2").reshape(HEIGHT, WIDTH)
    poses = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    for number in range(frames):
        cv2.imwrite(str(folder / "depth" / f"{number:06}.png"), depth)
        cv2.imwrite(str(folder / "confidence" / f"{number:06}.png"), numpy.full((HEIGHT, WIDTH), 2, numpy.uint8))
        poses.append(f"{100 + number / 60}, {number:06}, 0, 0, 0, 0, 0, 0, 1")
    (folder / "odometry.csv").write_text("\n".join(poses) + "\n")
    (folder / "camera_matrix.csv").write_text("1590, 0, 960\n0, 1590, 720\n0, 0, 1\n")
    (folder / ".DS_Store").write_bytes(b"litter")
    (folder / "depth" / "Thumbs.db").write_bytes(b"litter")
    (folder / "empty.txt").write_bytes(b"")


def drop_files(page, *paths: Path) -> None:
    """Drops files on the page by dispatching the browser's own drag events."""
    tool = page.context.new_cdp_session(page)
    box = page.locator("#drop").bounding_box()
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        tool.send("Input.dispatchDragEvent", {"type": kind, "x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "data": data})
        if kind == "dragOver":
            until(page, "document.getElementById('drop').hasAttribute('data-over')")
    tool.detach()


def photo(seed: int) -> bytes:
    noise = numpy.random.default_rng(seed).integers(0, 255, (120, 160, 3), dtype=numpy.uint8)
    return cv2.imencode(".jpg", cv2.resize(noise, (640, 480)))[1].tobytes()


def send_scan(env: BrowserEnvironment, shift: int) -> str:
    """Sends a scan as an app does, waits until it is done and returns its ID."""
    api = Api(env)
    files = {name: part["buffer"] for name, part in zip(("depth_scan", "metadata"), recording(6, shift))}
    parts = {**{f"image{number}": photo(shift + number) for number in (1, 2, 3)}, **files}
    reply = api.request("POST", "/upload", form(list(parts.items())),
                        {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
    scan = json.loads(reply.body)["scan_id"]
    deadline = time.monotonic() + 120
    while (state := json.loads(api.request("GET", f"/v1/scans/{scan}").body)["status"]) in ("queued", "working"):
        true(time.monotonic() < deadline, "the work does not end")
        time.sleep(0.2)
    equal(state, "done", "how the work ended")
    return scan


def check_appearance(env: BrowserEnvironment, page, name: str, width: int = DESKTOP["width"]) -> None:
    """Takes a screenshot of the whole page for manual review and checks the layout."""
    if env.screenshots:
        page.screenshot(path=env.screenshots / f"scans-{name}.png", full_page=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    true(wide <= width, f"{name} is {wide} wide")
    equal(page.evaluate(SMALL_TEXT), [], f"small text on {name}")
    equal(serious_violations(page), [], f"axe on {name}")
    raw = page.evaluate("document.body.innerText").split()
    equal([word for word in raw if re.match(r"scan\.[a-z]", word) and word not in ("scan.mien", "scan.mtl", "scan.jpg")], [], f"texts that are missing on {name}")


def take_three_photos(page) -> None:
    page.click("#open-camera")
    for number in (1, 2, 3):
        until(page, "document.getElementById('video').videoWidth > 0 && !document.getElementById('shutter').disabled")
        page.click("#shutter")
        until(page, f"document.querySelectorAll('[data-taken]').length === {number}")


def seen_in_view(page) -> numpy.ndarray:
    return cv2.imdecode(numpy.frombuffer(page.locator("#view").screenshot(), numpy.uint8), cv2.IMREAD_COLOR)


def colors_of_view(page) -> int:
    """Returns the number of colors in the canvas: an empty one has one."""
    return len(numpy.unique(seen_in_view(page).reshape(-1, 3), axis=0))


def color_saturation(page) -> float:
    """Returns the 95th percentile of the canvas's saturation, 0 to 255."""
    return numpy.percentile(cv2.cvtColor(seen_in_view(page), cv2.COLOR_BGR2HSV)[..., 1], 95)


def await_result(page) -> None:
    page.wait_for_selector('body[data-screen="done"] #view[data-drawn]', timeout=120_000)


def test_scan_completes_its_four_steps(env: BrowserEnvironment) -> None:
    """A scan completes its four steps, is measured in three dimensions and deleted."""
    with visitor(env) as page:
        page.goto(env.server.url + "/scan")
        page.wait_for_selector("#kind-face")
        check_appearance(env, page, "kind")
        page.click("#kind-face")
        page.wait_for_selector("#open-camera")
        true(page.is_disabled("#review"), "nothing to review yet")
        check_appearance(env, page, "start")
        take_three_photos(page)
        page.set_input_files("#depth-files", recording(6, 11))
        page.fill("#subject", "Ada Muster")
        page.fill("#label", "First visit")
        check_appearance(env, page, "capture")
        page.click("#review")
        page.wait_for_selector("#large")
        equal(page.locator(".thumb").count(), 3, "thumbnails")
        check_appearance(env, page, "review")
        page.click("#retake")
        until(page, "document.querySelectorAll('[data-taken]').length === 2")
        page.set_input_files("#pick-photos", upload("front.jpg", photo(5), "image/jpeg"))
        until(page, "document.querySelectorAll('[data-taken]').length === 3")
        page.click("#review")
        page.click("#upload")
        await_result(page)
        equal(page.inner_text("h1"), "First visit", "title")
        true("Ada Muster" in page.inner_text(".lead"), "the subject is named")
        true(page.locator("[data-item]").count() >= 10, "items of the report")
        # A frame that was drawn may reach the screen after the next picture; so do those below.
        wait("the surface", lambda: colors_of_view(page) > 50, seconds=60)
        page.click("#view-measure")
        page.focus("#view")
        page.keyboard.press("Enter")
        until(page, f"document.getElementById('measured').textContent === {json.dumps(EN['scan.measure.second'])}")
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        until(page, "/\\d\\s[cm]?m$/.test(document.getElementById('measured').textContent)")
        page.click("#view-wires")
        page.fill("#depth-at", "3")
        until(page, "document.querySelector('.depth output').textContent.startsWith('4 / ')")
        until(page, "document.getElementById('depth-map').naturalWidth > 0")
        check_appearance(env, page, "result")
        page.click(".measures summary")
        true(page.locator('[data-measure="dynamic-range"]').count() == 3, "the measures of three photos")
        check_appearance(env, page, "result-measures")
        with page.expect_download() as download:
            page.click('.file[download="model.glb"]')
        true(download.value.path().read_bytes()[:4] == b"glTF", "the model is downloaded")
        address = page.url
        page.click("#erase")
        page.click("#confirm-yes")
        page.wait_for_url("**/scans")
        page.goto(address)
        page.wait_for_selector('body[data-screen="missing"]')
        true(EN["scan.trouble.not-found"] in page.inner_text("main"), "it says why")


def test_texture_can_be_toggled(env: BrowserEnvironment) -> None:
    """A photo with known camera covers the surface in three dimensions, and can be removed."""
    with visitor(env) as page:
        new_scan(env, page, "object")
        page.set_input_files("#depth-files", colored_recording(6))
        page.click("#review")
        page.click("#upload")
        await_result(page)
        equal(page.locator('.file[download="scan.jpg"]').count(), 1, "the server made a texture, so no vertex has a color")
        wait("its colors", lambda: color_saturation(page) > 100, seconds=60)
        page.click("#view-colors")
        wait("the plain surface", lambda: color_saturation(page) < 60, seconds=60)


def test_dropped_folder_becomes_a_scan(env: BrowserEnvironment) -> None:
    """A dropped folder of a phone becomes a scan with all of its files and no others."""
    # More files than a browser returns at once when reading a directory.
    frames = 104
    with visitor(env) as page, tempfile.TemporaryDirectory(prefix="mien-drop-") as place:
        stray_scanner_folder(Path(place) / "f00d2a51", frames)
        new_scan(env, page, "object")
        page.locator("#drop").scroll_into_view_if_needed()
        drop_files(page, Path(place) / "f00d2a51")
        until(page, "!document.getElementById('review').disabled")
        true(not page.locator("#drop").get_attribute("data-over"), "nothing is held over it any more")
        check_appearance(env, page, "dropped")
        page.click("#review")
        page.click("#upload")
        await_result(page)
        found = json.loads(Api(env).request("GET", "/v1/scans/" + page.url.split("#")[1]).body)
        names = sorted(file["name"] for file in found["files"])
        equal(len(names), 2 * frames + 2, f"files, {names[:3]} and so on")
        equal((found["depth"]["format"], found["depth"]["frames"]), ("Stray Scanner", frames), "what was read")


def test_photos_stay_with_their_person(env: BrowserEnvironment) -> None:
    """Photos of one person are never filed under another, also of the same name."""
    api = Api(env)
    one, two = (json.loads(api.request("POST", "/v1/subjects", {"name": "Twin & Co"}).body)["id"] for _ in range(2))
    with visitor(env) as page:
        def payload(subject: str) -> None:
            page.goto(f"{env.server.url}/scan#for=Twin+%26+Co&subject={subject}")

        payload(one)
        page.click("#kind-face")
        until(page, "document.getElementById('subject')?.value === 'Twin & Co'")
        page.set_input_files("#pick-photos", upload("1.jpg", photo(71), "image/jpeg"))
        page.wait_for_selector("[data-taken]")
        payload(two)
        page.click("#confirm-no")
        true(page.is_visible("[data-taken]"), "the photo stays")
        payload(two)
        page.click("#confirm-yes")
        page.click("#kind-face")
        page.wait_for_selector("[data-taken]", state="detached")
        page.set_input_files("#depth-files", recording(6, 71))
        page.click("#review")
        page.click("#upload")
        await_result(page)
        scans = [json.loads(api.request("GET", f"/v1/scans?subject={each}").body)["total"] for each in (one, two)]
        equal(scans, [0, 1], "scans of each")


def test_interrupted_upload_resumes(env: BrowserEnvironment) -> None:
    """A scan whose upload was interrupted by closing the page resumes."""
    frames = PIECE // (WIDTH * HEIGHT * 2) + 20
    with visitor(env) as page:
        offsets: list[int] = []

        def second_piece_fails(route) -> None:
            offset = int(route.request.headers.get("upload-offset", "0"))
            if route.request.method == "PATCH" and offset > 0:
                offsets.append(offset)
                route.abort()
            else:
                route.continue_()

        new_scan(env, page, "face")
        page.set_input_files("#depth-files", recording(frames, 23))
        page.set_input_files("#pick-photos", [upload(f"{n}.jpg", photo(n + 30), "image/jpeg") for n in (1, 2, 3)])
        until(page, "document.querySelectorAll('[data-taken]').length === 3")
        page.click("#review")
        page.context.route("**/v1/uploads/*", second_piece_fails)
        page.click("#upload")
        until(page, "document.querySelector('.files [data-state=lost]') !== null", 60)
        equal(offsets, [PIECE] * len(offsets), "pieces that failed")
        check_appearance(env, page, "lost")
        context = page.context
        page.close()
        context.unroute_all()
        again = context.new_page()
        sent_from: dict[str, int] = {}

        def watch(request) -> None:
            if request.method == "PATCH":
                sent_from.setdefault(request.url, int(request.headers["upload-offset"]))

        again.on("request", watch)
        again.set_default_timeout(60_000)
        again.goto(env.server.url + "/scan")
        await_result(again)
        equal(list(sent_from.values()), [PIECE], "where each upload went on")


def test_live_image_shows_the_face_box(env: BrowserEnvironment) -> None:
    """The live image of a scan shows a box around the face and says what to change."""
    clip = env.footage.turn_left()
    with visitor(env, clip) as page:
        new_scan(env, page, "face")
        page.click("#open-camera")
        until(page, "document.querySelector('.finder .corners').getAttribute('d') !== ''", 60)
        page.click("#shutter")
        until(page, "document.querySelectorAll('[data-taken]').length === 1")
        equal(page.locator(".slot .warn").count(), 0, "photos without a face")
    with visitor(env) as page:
        new_scan(env, page, "face")
        page.click("#open-camera")
        until(page, f"document.getElementById('hint').textContent === {json.dumps(EN['hint.no-face'])}", 60)
        page.click("#shutter")
        page.wait_for_selector(".slot .warn")


def test_scan_page_fits_every_layout(env: BrowserEnvironment) -> None:
    """The scan page fits dark mode, a phone and right to left, and says where 3D cannot be shown."""
    scan = send_scan(env, 41)
    for name, look in {"dark": {"scheme": "dark"}, "small": {"size": SMALL, "language": "de-DE"},
                       "arabic": {"language": "ar", "size": PHONE}}.items():
        width = look.get("size", DESKTOP)["width"]
        with visitor(env, **look) as page:
            page.goto(f"{env.server.url}/scan#{scan}")
            await_result(page)
            check_appearance(env, page, f"result-{name}", width)
            if name in ("arabic", "small"):
                for path in ("scan", "scans"):
                    page.goto(f"{env.server.url}/{path}")
                    page.wait_for_selector("#kind-face" if path == "scan" else "#scans li")
                    check_appearance(env, page, f"{path}-{name}", width)
    with visitor(env) as page:
        page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
        page.goto(f"{env.server.url}/scan#{scan}")
        page.wait_for_selector("#no-view")
        equal(page.inner_text("#no-view"), EN["scan.no-webgl"], "what is said without WebGL")
        until(page, "document.querySelector('.preview').naturalWidth > 0")


def test_list_is_searched_paged_and_edited(env: BrowserEnvironment) -> None:
    """The list of scans is searched, paged, relabeled and deleted; the work list of a day fills."""
    api = Api(env)
    for number in range(27):
        api.request("POST", "/v1/scans", {"label": f"Row {number:02}", "kind": "object", "files": [{"name": "a.r3d", "bytes": 9}]})
    with visitor(env) as page:
        page.goto(env.server.url + "/scans")
        page.fill("#search", "Row 03")
        until(page, "document.querySelectorAll('#scans > li').length === 1")
        page.fill("#search", "Row")
        until(page, "document.getElementById('count').textContent.startsWith('Scans: 27')")
        equal(page.locator("#scans > li").count(), 25, "rows of the first page")
        page.click("#next")
        until(page, "document.querySelectorAll('#scans > li').length === 2")
        page.click("#before")
        until(page, "document.querySelectorAll('#scans > li').length === 25")
        page.click('#scans > li:first-child [data-action="scan.relabel"]')
        page.fill("#new-label", "Row renamed")
        page.click("#relabel-yes")
        until(page, "document.querySelector('#scans > li:first-child a').textContent === 'Row renamed'")
        # The rows are redrawn; the focus stays in its row, or moves to the row that replaced a deleted one.
        at_row = "document.activeElement === document.querySelector('#scans > li:nth-child(%d) [data-action=\"%s\"]')"
        until(page, at_row % (1, "scan.relabel"))
        # Errors are visible, not only announced to screen readers.
        for refusal, reported in (("forbidden", EN["trouble.refused"].replace("{code}", "forbidden")),
                              ("unavailable", EN["scan.trouble.unavailable"])):
            page.route("**/v1/scans/*", lambda route: route.fulfill(
                status=503, content_type="application/problem+json", body=json.dumps({"code": refusal, "status": 503})))
            page.click('#scans > li:first-child [data-action="scan.erase"]')
            page.click("#confirm-yes")
            until(page, f"document.getElementById('wrong').innerText.trim() === {json.dumps(reported)}")
            page.unroute("**/v1/scans/*")
        page.click('#scans > li:first-child [data-action="scan.erase"]')
        page.click("#confirm-yes")
        until(page, "document.getElementById('count').textContent.startsWith('Scans: 26')")
        equal(page.inner_text("#wrong"), "", "what went wrong is over")
        until(page, at_row % (1, "scan.erase"))
        page.click('#scans > li:nth-child(3) [data-action="scan.erase"]')
        page.click("#confirm-yes")
        until(page, "document.getElementById('count').textContent.startsWith('Scans: 25')")
        until(page, at_row % (3, "scan.erase"))
        page.click(".work summary")
        page.fill("#new-name", "Grace Muster")
        page.fill("#new-note", "Room 3")
        page.click("#add-subject button")
        page.wait_for_selector("[data-subject]")
        check_appearance(env, page, "list")
        # The subject returns on another day, and the note was wrong.
        page.click('[data-subject] [data-action="scan.work.change"]')
        equal(page.input_value("#other-name"), "Grace Muster", "what is known stands in the dialog")
        page.fill("#other-note", "Room 4")
        page.screenshot(path=env.screenshots / "scans-change.png") if env.screenshots else None
        page.click("#describe-yes")
        until(page, "document.querySelector('[data-subject] p').textContent === 'Room 4'")
        until(page, "document.activeElement === document.querySelector('[data-subject] [data-action=\"scan.work.change\"]')")
        page.click('[data-subject] [data-action="scan.work.change"]')
        page.fill("#other-day", "2031-05-04")
        page.click("#describe-no")
        page.wait_for_selector("#describe-title", state="detached")
        page.click('[data-subject] [data-action="scan.work.change"]')
        page.fill("#other-day", "2031-05-04")
        page.click("#describe-yes")
        page.wait_for_selector("[data-subject]", state="detached")
        page.fill("#work-day", "2031-05-04")
        page.wait_for_selector("[data-subject]")
        page.click("[data-subject] .name")
        until(page, f"document.getElementById('count').textContent === {json.dumps(EN['scan.found.none'])}")
        page.click("#all-subjects")
        until(page, "document.activeElement.id === 'title'")
        page.click("[data-subject] a")
        page.click("#kind-object")
        until(page, "document.getElementById('subject')?.value === 'Grace Muster'")
