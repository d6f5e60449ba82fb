"""Tests of scans of objects and rooms: from a folder to a measured distance, the first view, the scale, focus and crop."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import cv2

from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, true, until
from browser.page_checks import TEXTS, press_until
from browser.scan_pages import new_scan, visitor
from browser.test_scan_pages import await_result, check_appearance, seen_in_view, stray_scanner_folder
from support.serving import wait

EN = TEXTS["en"]
FRAMES = 40
UNITS = {"mm": 1, "cm": 10, "m": 1000}


def millimeters(words: str) -> float:
    """Returns the length in a text such as `Distance: 4.5 cm`."""
    number, unit = re.search(r"([\d.,]+)\s([cm]?m)$", words).groups()
    return float(number) * UNITS[unit]


def scale(page) -> float:
    """Returns the pixels of a meter in the middle of the view, as the scale bar shows them."""
    width = page.evaluate("document.querySelector('#view-scale .bar').getBoundingClientRect().width")
    return 1000 * width / millimeters(page.inner_text("#view-scale bdi"))


def stable_picture(page):
    """Returns the picture of the view once two in a row are equal."""
    pictures = [seen_in_view(page)]

    def same() -> bool:
        pictures.append(seen_in_view(page))
        return (pictures[-1] == pictures[-2]).all()

    wait("a view that stays", same, seconds=60)
    return pictures[-1]


def scan_folder(env: BrowserEnvironment, page, kind: str, label: str) -> str:
    """Scans the synthetic ball in front of a wall from a folder, and returns the address of the result."""
    with tempfile.TemporaryDirectory(prefix="mien-folder-") as place:
        folder = Path(place) / "f00d2a51"
        stray_scanner_folder(folder, FRAMES)
        new_scan(env, page, kind)
        page.set_input_files("#depth-folder", folder)
        until(page, "!document.getElementById('review').disabled")
        page.fill("#label", label)
        page.click("#review")
        page.click("#upload")
        await_result(page)
    return page.url


def test_object_is_scanned_from_a_folder_and_measured(env: BrowserEnvironment) -> None:
    """A folder of depth becomes a measured distance; nothing on the way asks for a face or for three photos."""
    with visitor(env) as page, tempfile.TemporaryDirectory(prefix="mien-folder-") as place:
        folder = Path(place) / "f00d2a51"
        stray_scanner_folder(folder, FRAMES)
        page.goto(env.server.url + "/scan")
        page.wait_for_selector("#kind-object")
        press_until(page, "kind-object", 12)
        page.keyboard.press("Enter")
        page.wait_for_selector("#depth-files", state="attached")
        equal(page.inner_text("h1"), EN["scan.title.object"], "heading")
        equal(page.locator("#open-camera, #shutter, .slot").count(), 0, "places for photos of a face")
        true(EN["scan.photos.optional"] in page.inner_text("main"), "photos are optional")
        page.set_input_files("#depth-folder", folder)
        until(page, "!document.getElementById('review').disabled")
        page.fill("#label", "Ball")
        check_appearance(env, page, "object-capture")
        page.click("#review")
        page.wait_for_selector("#upload")
        equal(page.locator(".warnings").count(), 0, "warnings")
        page.click("#upload")
        await_result(page)
        weak = page.locator('[data-outcome="warn"], [data-outcome="fail"]').count()
        true(weak > 0, "a camera that does not move does not cover an object")
        equal(page.inner_text("#report-title"), EN["scan.report.usable"].format(number=weak), "heading of the report")
        equal(page.locator('[data-item^="photo"]').count(), 0, "items about a face")
        true(page.is_visible("#view-hint"), "it says in the picture how the view is moved")
        env.shoot(page, "scans-object-first-view")
        page.click("#view-measure")
        # Only now: the click may have scrolled the page.
        box = page.locator("#view").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        equal(page.inner_text("#measured"), EN["scan.measure.first"], "what to do first")
        true(not page.is_visible(".view-label"), "no distance yet")
        page.mouse.click(x - 40, y)
        until(page, f"document.getElementById('measured').textContent === {EN['scan.measure.second']!r}")
        page.mouse.click(x + 40, y)
        page.wait_for_selector(".view-label:not([hidden])")
        equal(page.locator(".view-lines line[data-shown]").count(), 2, "the line and its edge")
        label = page.inner_text(".view-label")
        equal(page.inner_text("#measured"), EN["scan.measure.distance"].format(distance=label), "the distance in words")
        # The points are about as far away as the middle of the view, to which the scale belongs.
        expected = 80 / scale(page) * 1000
        true(0.6 < millimeters(label) / expected < 1.6, f"{label}, about {expected:.0f} mm by the scale")
        middle = page.evaluate("""() => {
          const [line] = document.querySelectorAll(".view-lines line");
          const { left, width } = document.querySelector(".view-label").getBoundingClientRect();
          return left + width / 2 - document.getElementById("view").getBoundingClientRect().left
            - (Number(line.getAttribute("x1")) + Number(line.getAttribute("x2"))) / 2;
        }""")
        true(abs(middle) < 2, f"the label is at the middle of the line: {middle}")
        check_appearance(env, page, "object-measured")
        page.goto(env.server.url + "/scans")
        page.wait_for_selector("#scans > li:first-child .picture img")
        until(page, "document.querySelector('#scans > li:first-child .picture img').naturalWidth === 160")
        check_appearance(env, page, "list-thumbnail")


def test_view_is_focused_and_cropped(env: BrowserEnvironment) -> None:
    """A double click brings a point nearer, also by key; what surrounds the subject can be hidden, and that of a face is."""
    with visitor(env) as page:
        scan_folder(env, page, "object", "Focus")
        before = scale(page)
        box = page.locator("#view").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.dblclick(x + 10, y)
        until(page, "document.getElementById('view-hint').hidden")
        wait("a nearer view", lambda: 1.5 < scale(page) / before < 2.2, seconds=60)
        page.focus("#view")
        page.keyboard.press("0")
        wait("the first view again", lambda: abs(scale(page) / before - 1) < 0.02, seconds=60)
        page.keyboard.press("Enter")
        wait("a nearer view by key", lambda: scale(page) > 1.4 * before, seconds=60)
        page.keyboard.press("0")
        equal(page.get_attribute("#view-crop", "aria-pressed"), "false", "an object keeps its surroundings")
        wait("the first view", lambda: abs(scale(page) / before - 1) < 0.02, seconds=60)
        # What is drawn may reach the screen after the next picture.
        whole = stable_picture(page)
        page.click("#view-crop")
        wait("the view without the wall", lambda: cv2.absdiff(whole, seen_in_view(page)).mean() > 1, seconds=60)
        address = scan_folder(env, page, "face", "Face")
        equal(page.get_attribute("#view-crop", "aria-pressed"), "true", "the wall behind a face is cropped")
        env.shoot(page, "scans-face-cropped")
        page.add_init_script("DOMTokenList.prototype.supports = () => true")  # as on an iPhone
        page.goto(env.server.url + "/scans")
        page.goto(address)
        page.wait_for_selector("#view-ar")
        equal(page.evaluate("""() => {
          const link = document.getElementById("view-ar");
          return [link.rel, link.childElementCount, link.firstElementChild.localName, link.pathname.endsWith("/model.usdz")];
        }"""), ["ar", 1, "img", True], "the link that the system opens as a model")


def test_room_has_its_own_words_in_every_layout(env: BrowserEnvironment) -> None:
    """A room is asked for and shown without a face, also on small screens, in the dark and in other languages."""
    with visitor(env) as page:
        address = scan_folder(env, page, "room", "Room 3")
        equal(page.locator("#view-crop").count(), 0, "a room has nothing to crop to")
    for name, look in {"german-320": {"size": SMALL, "language": "de-DE"}, "arabic-dark": {"size": PHONE, "language": "ar", "scheme": "dark"},
                       "japanese": {"size": PHONE, "language": "ja-JP"}, "dark": {"scheme": "dark"}}.items():
        width = look.get("size", DESKTOP)["width"]
        with visitor(env, **look) as page:
            page.goto(env.server.url + "/scan")
            page.wait_for_selector("#kind-room")
            check_appearance(env, page, f"kind-{name}", width)
            page.click("#kind-room")
            page.wait_for_selector("#depth-files", state="attached")
            check_appearance(env, page, f"room-capture-{name}", width)
            page.goto(address)
            await_result(page)
            check_appearance(env, page, f"room-{name}", width)


def test_first_view_shows_the_subject_from_above(env: BrowserEnvironment) -> None:
    """The first view is 25° above, ignores stray vertices, and has all corners of the rest in view."""
    with visitor(env) as page:
        page.goto(env.server.url + "/scan")
        found = page.evaluate("""async () => {
          const three = await import("/assets/three/three.module.js");
          const { firstDirection, robustExtent, roundLength, viewingDistance } = await import("/assets/scan/extent.js");
          const places = [];
          for (let index = 0; index <= 100; index += 1) places.push(index / 100, index / 200, 0);
          places.push(50, 50, 50);
          const geometry = new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(places, 3));
          const mesh = new three.Mesh(geometry);
          const box = robustExtent(three, [mesh], null);
          const crop = new three.Box3(new three.Vector3(-1, -1, -1), new three.Vector3(0.5, 1, 1));
          const part = robustExtent(three, [mesh], crop);
          const nowhere = robustExtent(three, [mesh], new three.Box3(new three.Vector3(7, 7, 7), new three.Vector3(8, 8, 8)));
          const direction = firstDirection(three, new three.Vector3(0.6, 0, 0.8), "object");
          const camera = new three.PerspectiveCamera(35, 1.7, 0.001, 100);
          const cube = new three.Box3(new three.Vector3(-1, -2, -1), new three.Vector3(3, 1, 1));
          const center = cube.getCenter(new three.Vector3());
          camera.position.copy(center).addScaledVector(direction, viewingDistance(three, cube, direction, camera));
          camera.lookAt(center);
          camera.updateMatrixWorld();
          let farthest = 0;
          for (const x of [-1, 3]) for (const y of [-2, 1]) for (const z of [-1, 1]) {
            const at = new three.Vector3(x, y, z).project(camera);
            farthest = Math.max(farthest, Math.abs(at.x), Math.abs(at.y));
          }
          return {
            whole: [box.min.x, box.max.x], part: [part.min.x, part.max.x], nowhere: nowhere.max.x,
            above: Math.asin(direction.y) * 180 / Math.PI, face: Math.asin(firstDirection(three, direction.setY(0).normalize(), "face").y) * 180 / Math.PI,
            farthest, round: [0.0999, 0.1, 0.3, 7, 1234].map(roundLength),
          };
        }""")
    equal([round(value, 3) for value in found["whole"]], [0.02, 0.99], "without 2 % on each side")
    true(found["part"][1] <= 0.5 and found["part"][0] < 0.02, f"within the crop: {found['part']}")
    equal(round(found["nowhere"], 3), 0.99, "a crop without vertices does not count")
    equal(round(found["above"], 3), 25, "degrees above the horizon")
    equal(round(found["face"], 3), 8, "a face is looked at from its own height")
    true(0.999 < found["farthest"] < 1.001, f"the farthest corner is at the edge of the view: {found['farthest']}")
    equal([round(value, 6) for value in found["round"]], [0.05, 0.1, 0.2, 5, 1000], "round lengths")
