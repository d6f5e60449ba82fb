"""Tests of the image: made from the program under test, unpacked into an empty folder, and started there."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

import cv2
import pytest

from packages.clean_root import RootedServer, enter, require_root
from support import performance, synthetic_head
from support import performers as act
from support.program import PROGRAM, ROOT
from support.replies import expect

sys.path.insert(0, str(ROOT / "scripts"))
from packaging import oci  # noqa: E402

PARTS = pathlib.Path(os.environ.get("MIEN_PARTS") or ROOT / ".mien")

pytestmark = pytest.mark.slow


def make(folder):
    """Makes the image with quick compression; returns the archive."""
    for tool in ("patchelf", "zstd", "apt-get", "nasm"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} not found; run scripts/install-system package")
    run = subprocess.run([ROOT / "scripts/make-image", "--program", PROGRAM, "--output", folder, "--fast", "--keep-layout"],
                         capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    assert run.returncode == 0, run.stdout + run.stderr
    (archive,) = folder.glob("mien-*.oci.tar")
    return archive


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """Returns a folder with the unpacked layers, the image's configuration, and the archive."""
    folder = tmp_path_factory.mktemp("image")
    archive = make(folder)
    yield folder / "root", oci.unpack(folder / "layout", folder / "root"), archive
    shutil.rmtree(folder)


def test_image_is_reproducible(image, tmp_path):
    _, _, first = image
    assert hashlib.sha256(make(tmp_path).read_bytes()).digest() == hashlib.sha256(first.read_bytes()).digest()


def test_image_holds_nothing_that_nobody_needs(image):
    root, described, _ = image
    assert described["config"]["User"] == "10001:10001"
    names = {path.name for path in (root / "usr/bin").iterdir()}
    assert names == {"bash", "sh", "timeout", "nice", "prlimit", "cat", "ls", "id", "env", "mien", "ffmpeg", "ffprobe"}, names
    assert not [path for path in root.rglob("*") if not path.is_symlink() and path.is_file() and path.stat().st_mode & 0o6002]
    assert list((root / "var/lib/dpkg/status.d").iterdir()) and (root / "usr/share/doc/libc6/copyright").exists()


def test_every_library_is_found(image, tmp_path):
    require_root()
    root, described, _ = image
    run = enter(root, tmp_path, described["config"]["Env"], ["/usr/bin/mien", "doctor", "--data", "/data"])
    out, err = run.communicate(timeout=300)
    assert run.returncode == 0 and out.count("ok ") == 9, out + err
    assert "/usr/share/mien/models" in out and "/usr/share/mien/Web" in out, out


def test_server_boots_and_passes_a_check_in_a_clean_root(image):
    require_root()
    root, described, _ = image
    # A portrait from the front, widened to the picture of a camera.
    portrait = cv2.copyMakeBorder(cv2.imread(str(PARTS / "media/0-f15-hao-ph.jpg")), 0, 0, 85, 85, cv2.BORDER_REPLICATE)
    picture = cv2.resize(portrait, (480, 360))
    head = synthetic_head.Head(picture, synthetic_head.read_landmarks(PROGRAM, picture))
    server = RootedServer(root, described)
    try:
        assert expect(server.request("GET", "/health/ready"), 200).json["status"] == "ready"
        assert b"<html" in expect(server.request("GET", "/check"), 200).body
        # A busy machine may lose too many frames of a take.
        for take in range(5):
            check = server.create(tasks=[performance.task("head-turn")])
            step = performance.perform(check, head, act.Turn(seconds=2.6 + 0.5 * take), seed=take + 1)
            if step["state"] == "passed":
                break
        result = check.result().json
        assert (result["state"], result["source"], result["basis"]) == ("passed", "observed", "frames"), (step, result)
        # The health check is run by the engine in the same root.
        health = enter(root, server.data, [*described["config"]["Env"], f"MIEN_PORT={server.port}"],
                       described["config"]["Healthcheck"]["Test"][1:])
        assert health.wait(60) == 0, health.stderr.read()
        dead = enter(root, server.data, [*described["config"]["Env"], "MIEN_PORT=1"], described["config"]["Healthcheck"]["Test"][1:])
        assert dead.wait(60) != 0
        assert server.stop() == 0
    finally:
        server.clean()
