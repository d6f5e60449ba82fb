"""Tests of the Python client with images: a check whose frames it sends, face match, and the examples of its page."""

import json
import os
import pathlib
import re
import subprocess
import time

import pytest

from clients.conftest import SOURCES
from support import footage, performers, synthetic_head
from support.capture_files import photo
from support.checks import claim_turn
from support.performance import task
from support.replies import conforms
from support.scans import parts
from support.server import Server
from support.webhooks import Receiver, make

MEDIA = pathlib.Path(os.environ.get("MIEN_PARTS") or pathlib.Path(__file__).parents[3] / ".mien") / "media"
needs_photographs = pytest.mark.skipif(
    not (MEDIA / "obama.jpg").exists() or not (MEDIA.parent / "models/sface_2021dec.onnx").exists(),
    reason="the recognition model or the photographs are missing; run scripts/install-parts and scripts/install-test-media")


def test_frames_of_a_camera_pass_a_check(binary, mien_client):
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    head = synthetic_head.head(binary, footage.shared() / "data")
    # As in the other tests with a rendered head, passive signals are only reported.
    server = Server(binary, arguments=["--passive", "report"])
    motion, seen, began = performers.HeadMotion(performers.Turn()), [None], time.monotonic()

    def frames():
        for number in range(1200):
            yield head.jpeg(**motion.pose(seen[-1], time.monotonic() - began, number))
            time.sleep(max(0, number / 12 - (time.monotonic() - began)))

    try:
        with mien_client.Mien(f"http://127.0.0.1:{server.port}", server.key) as mien:
            check = mien.create_check(tasks=[task("head-turn")], attempts=1, audit_images=1)
            for step in mien.send_frames(check, frames()):
                conforms("Step", step)
                seen.append(step)
            assert step["state"] == "passed", step
            result = mien.wait_for_check(check["id"])
            assert mien_client.is_live(result) and result["frames"] >= len(seen) - 1, result
            assert mien.get_image(check["id"], 0).startswith(b"\xff\xd8")
            assert mien.verify_result(result["signed"], check=check["id"])["basis"] == "frames"
    finally:
        server.clean()


@needs_photographs
def test_faces_are_compared(mien, mien_client):
    comparison = mien.compare_faces(MEDIA / "obama.jpg", (MEDIA / "obama2.jpg").read_bytes())
    conforms("Comparison", comparison)
    assert comparison["match"]["decision"] == "match"
    assert mien.compare_faces(MEDIA / "obama.jpg", MEDIA / "biden.jpg")["match"]["decision"] == "no-match"
    assert mien.create_check(reference_image=MEDIA / "obama.jpg")["id"]
    with pytest.raises(mien_client.Unprocessable) as caught:
        mien.compare_faces(b"not a picture", MEDIA / "obama.jpg")
    assert caught.value.code == "not-an-image"
    assert mien.preview_face(MEDIA / "obama.jpg")["face"] in ("one", True) or mien.preview_face(MEDIA / "obama.jpg")["box"]


# Runs the examples of the page in order in one namespace, then lets its receiver verify a real message.
DRIVER = """
import json, pathlib, sys
space = {}
for number, example in enumerate(json.loads(pathlib.Path("examples.json").read_text())):
    exec(compile(example, f"example {number + 1}", "exec"), space)
headers, body = json.loads(pathlib.Path("message.json").read_text())
headers = {name.lower(): value for name, value in headers.items()}
assert space["receive"](body.encode(), headers) == 204 and headers["webhook-id"] in space["seen"]
assert space["receive"](body.encode() + b" ", headers) == 400
class Camera:
    def read(self):
        return pathlib.Path("selfie.jpg").read_bytes()
class Screen:
    def show(self, *told):
        sys.exit(0)
space["run_check"](Camera(), Screen())
sys.exit("no step was shown")
"""


@needs_photographs
def test_examples_of_the_page_run(binary, installation, tmp_path):
    text = (SOURCES / "README.md").read_text()
    examples = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(examples) == len(re.findall(r"^```python", text, re.M)) >= 9
    scan = parts(6, shift=73)
    for name, content in {
            "passport.jpg": (MEDIA / "obama.jpg").read_bytes(), "selfie.jpg": (MEDIA / "obama2.jpg").read_bytes(),
            "photo.png": photo(74), "depth_scan.bin": scan["depth_scan"], "metadata.json": scan["metadata"],
            "examples.json": json.dumps(examples).encode()}.items():
        (tmp_path / name).write_bytes(content)
    server = Server(binary, arguments=["--allow-private-webhooks"], loads_models=False)
    try:
        with Receiver() as receiver:
            hook = make(server, receiver.url)
            claim_turn(server.claimed(challenge="turn-left"), "turn-left")
            _, _, headers, body = receiver.wait(1, seconds=60)
        (tmp_path / "message.json").write_text(json.dumps([headers, body.decode()]))
    finally:
        server.clean()
    # Nobody opens the page of the example, so its check times out soon.
    server = Server(binary, arguments=["--lifetime", "3"])
    try:
        ended = subprocess.run(
            [installation.python, "-c", DRIVER], cwd=tmp_path, capture_output=True, text=True, timeout=400,
            env={**os.environ, "MIEN_SERVER": f"http://127.0.0.1:{server.port}", "MIEN_KEY": server.key,
                 "MIEN_WEBHOOK_SECRET": hook["secret"]})
    finally:
        server.clean()
    assert ended.returncode == 0, ended.stdout + ended.stderr
    printed = ended.stdout
    for words in ("rejected: timed-out", "timed-out none", "match", "ready", "scene", "known", "checks deleted", "404 not-found",
                  "3 checks created"):
        assert words in printed, printed
    assert (tmp_path / "chair.glb").read_bytes().startswith(b"glTF") and (tmp_path / "message.gif").stat().st_size > 1000
