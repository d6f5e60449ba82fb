"""The tutorials, executed command by command against real servers."""

import json
import os
import pathlib
import shutil
import socket

import cv2
import numpy as np
import pytest

from cli.test_scan_surfaces import write_colored_scan
from docs.document import Document, documents
from support import footage, performers, s3_peer, synthetic_head
from support.capture_files import photo
from support.object_store import BUCKET
from support.performance import perform
from support.program import PROGRAM, ROOT
from support.server import Check, Server
from support.webhooks import Receiver

MEDIA = pathlib.Path(os.environ.get("MIEN_PARTS") or ROOT / ".mien") / "media"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def values(server):
    return {"http://127.0.0.1:8080": f"http://127.0.0.1:{server.port}", "mien_…": server.key}


def test_every_tutorial_is_executed():
    tests = {name.removeprefix("test_").replace("_", "") for name in globals() if name.startswith("test_")}
    assert {pathlib.Path(path).stem.lower() for path in documents("tutorials")} <= tests, "a tutorial has no test of its own"


def test_first_check(binary, tmp_path):
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    head = synthetic_head.head(binary, footage.shared() / "data")
    # The rendered head is an attack: as in the other tests with it, passive signals are only reported.
    server = Server(binary, arguments=["--passive", "report", "--allow-private-webhooks"])

    def take_the_check(_, variables):
        check = json.loads((tmp_path / "check.json").read_text())
        assert variables["CHECK"] == check["id"]
        step = perform(Check(server, check), head, performers.Follow())
        assert step["state"] == "passed", step

    try:
        with Receiver() as receiver:
            outputs = Document("tutorials/FirstCheck.md").run(
                tmp_path, PROGRAM, {**values(server), "https://shop.example/mien": receiver.url}, actions={"perform": take_the_check})
    finally:
        server.clean()
    assert outputs[0].strip() == "ready" and f":{server.port}/check#id=" in outputs[2]
    assert '"state": "passed"' in outputs[3] and outputs[4].strip() == "true" and '"id": "whk_' in outputs[5]


def test_from_rekognition(binary, tmp_path):
    if not (MEDIA / "obama.jpg").exists():
        pytest.skip("the photographs are missing; run scripts/install-test-media")
    shutil.copy(MEDIA / "obama.jpg", tmp_path / "passport.jpg")
    shutil.copy(MEDIA / "obama2.jpg", tmp_path / "selfie.jpg")
    server = Server(binary)
    try:
        outputs = Document("tutorials/FromRekognition.md").run(tmp_path, PROGRAM, values(server), {"MIEN_DATA": server.data})
    finally:
        server.clean()
    assert f"http://127.0.0.1:{server.port}/check#id=" in outputs[1]
    assert outputs[2].split()[0] == "CREATED" and outputs[3].strip() == "same person"


def test_from_youverify(binary, tmp_path):
    server = Server(binary, loads_models=False)
    try:
        outputs = Document("tutorials/FromYouverify.md").run(tmp_path, PROGRAM, values(server))
    finally:
        server.clean()
    assert outputs[0].strip() == "true" and '"state": "open"' in outputs[2] and "circle" in outputs[2]


def test_locked_messages(server, tmp_path):
    outputs = Document("tutorials/LockedMessages.md").run(tmp_path, PROGRAM, values(server))
    assert len(outputs[0].split()) == 2 and outputs[0].split()[0] in outputs[1]
    assert '"state": "ready"' in outputs[2] and '"attempts_left": 10' in outputs[2] and outputs[3].split()[-1] == "deleted"


def test_verify_photos(server, tmp_path):
    cv2.imwrite(str(tmp_path / "photo.jpg"), cv2.imdecode(np.frombuffer(photo(31), np.uint8), cv2.IMREAD_COLOR))
    outputs = Document("tutorials/VerifyPhotos.md").run(tmp_path, PROGRAM, values(server))
    assert (tmp_path / "report.html").stat().st_size > 1000
    assert '"unknown"' in outputs[1] or '"known"' in outputs[1]


def test_scan_an_object(server, tmp_path):
    outputs = Document("tutorials/ScanAnObject.md").run(
        tmp_path, PROGRAM, values(server), actions={"scan": lambda folder, _: write_colored_scan(folder / "chair")})
    assert (tmp_path / "chair.glb").read_bytes().startswith(b"glTF") and (tmp_path / "chair.png").exists()
    assert '"status": "done"' in outputs[-1], outputs


def test_several_servers(binary, postgres, s3, tmp_path):
    one, two = free_port(), free_port()
    outputs = Document("tutorials/SeveralServers.md").run(tmp_path, PROGRAM, {
        "postgres://mien:PASSWORD@db.example/mien": postgres.url_for(str(tmp_path)),
        "s3://faces/clinic?endpoint=https://objects.example": f"s3://{BUCKET}/{tmp_path.name}?endpoint=http://127.0.0.1:{s3.port}",
        "AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…": f"AWS_ACCESS_KEY_ID={s3_peer.ACCESS} AWS_SECRET_ACCESS_KEY={s3_peer.SECRET}",
        "8081": str(one), "8082": str(two)})
    assert outputs[-1].count("true") == 2


def test_backup_and_keys(binary, tmp_path):
    server = Server(binary, loads_models=False)
    try:
        outputs = Document("tutorials/BackupAndKeys.md").run(
            tmp_path, PROGRAM, {**values(server), "8083": str(free_port())}, {"MIEN_DATA": server.data})
    finally:
        server.clean()
    assert "backend-2027" in outputs[3], outputs
