"""The guides and the pages for operators, executed command by command against real servers."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import cv2
import numpy as np
import pytest

from cli.test_scan_surfaces import write_colored_scan
from docs.document import DOCUMENTS, Document, documents
from docs.test_tutorials import free_port
from support import capture_files, credentials, expressions, footage, performers, s3_peer, scans, synthetic_head
from support.app_attest import Apple
from support.object_store import BUCKET
from support.performance import perform
from support.program import PROGRAM, ROOT
from support.server import Check, Server
from support.webhooks import Receiver

MEDIA = pathlib.Path(os.environ.get("MIEN_PARTS") or ROOT / ".mien") / "media"
# Folders whose pages have commands for readers. Tests/EndToEnd/clients executes the pages of the clients.
FOLDERS = ("guides", "operations", "tutorials", "reference")


def run(path, folder, server, replacements=(), environment=None, actions=None):
    """Runs a page against a server; returns what each block printed."""
    url = f"http://127.0.0.1:{server.port}"
    known = {"http://127.0.0.1:8080": url, "https://liveness.example": url}
    return Document(path).run(
        folder, PROGRAM, {**known, **dict(replacements)}, {"KEY": server.key, "SERVER": url, **(environment or {})},
        actions, servers_end=True)


@pytest.fixture
def portraits(tmp_path):
    if not (MEDIA / "obama.jpg").exists():
        pytest.skip("the photographs are missing; run scripts/install-test-media")
    shutil.copy(MEDIA / "obama.jpg", tmp_path / "passport.jpg")
    shutil.copy(MEDIA / "obama2.jpg", tmp_path / "selfie.jpg")


def test_every_block_is_executed_or_says_why():
    unexplained_blocks = [fault for path in documents(*FOLDERS) for fault in Document(path).unexplained_blocks()]
    assert not unexplained_blocks, "\n".join(unexplained_blocks)
    tests = {name.removeprefix("test_").replace("_", "") for name in globals()}
    for path in documents("guides", "operations", "reference"):
        stem = pathlib.Path(path).stem.lower()
        assert stem in tests or not Document(path).is_executed, f"{path} has commands, and no test of its own"


def test_a_block_without_a_reason_is_a_fault(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```\nmien doctor\n```\n\n[not run]: # (it needs a phone)\n\n```kotlin\nval a = 1\n```\n\n```json\n{}\n```\n")
    unexplained_blocks = list(Document(page).unexplained_blocks())
    assert len(unexplained_blocks) == 1 and "mien doctor" in unexplained_blocks[0], unexplained_blocks


def test_liveness(server, tmp_path):
    outputs = run("guides/Liveness.md", tmp_path, server)
    assert len(outputs) == 3 and all('"id":"chk_' in text.replace(" ", "") for text in outputs), outputs


def test_sessions(server, tmp_path):
    outputs = run("guides/Sessions.md", tmp_path, server, {"def is_live": "def is_live"})
    assert '"page"' in outputs[0]


def test_messages(binary, tmp_path):
    server = Server(binary, loads_models=False, arguments=["--demo"])
    try:
        outputs = run("guides/Messages.md", tmp_path, server, {"mien lock -": f"mien lock - --server http://127.0.0.1:{server.port}"})
    finally:
        server.clean()
    assert '"receipt":"rcp_' in outputs[0].replace(" ", "") and (tmp_path / "message.gif").read_bytes().startswith(b"GIF89a")


def test_webhooks(binary, tmp_path):
    # The page's receiver is only made here; the next test sends it a message.
    server = Server(binary, loads_models=False, arguments=["--allow-private-webhooks"])
    try:
        with Receiver() as receiver:
            outputs = run("guides/Webhooks.md", tmp_path, server, {
                "https://shop.example/hooks/mien": receiver.url, "whsec_…": "whsec_" + base64.b64encode(b"any secret of the test").decode(),
                'HTTPServer(("127.0.0.1", 9000), Receiver).serve_forever()':
                    'HTTPServer(("127.0.0.1", 0), Receiver).server_close(); print("received with", webhook)'},
                actions={})
    finally:
        server.clean()
    assert '"secret":"whsec_' in outputs[0].replace(" ", "") and "received with" in outputs[1], outputs


def test_webhook_receiver_accepts_what_the_server_sends(binary, tmp_path):
    """Runs the page's receiver as a program and lets the server send it a message."""
    code = next(code for language, code, _ in Document("guides/Webhooks.md").blocks if language == "python")
    server = Server(binary, loads_models=False, arguments=["--allow-private-webhooks"])
    program = None
    try:
        port = free_port()
        made = server.request("POST", "/v1/webhooks", {"url": f"http://127.0.0.1:{port}/", "events": ["check.passed"]}, token=server.key).json
        code = code.replace("whsec_…", made["secret"]).replace("9000", str(port))
        program = subprocess.Popen([sys.executable, "-u", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        said = []
        reader = threading.Thread(target=lambda: said.append(program.stdout.readline()), daemon=True)
        reader.start()
        server.request("POST", f"/v1/webhooks/{made['id']}/ping", {}, token=server.key)
        reader.join(60)
        assert said and said[0].startswith(f"webhook.ping {made['id']}"), said
    finally:
        if program:
            program.kill()
            program.wait()
        server.clean()


def test_compatible_apis(binary, tmp_path):
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    server = Server(binary, arguments=["--passive", "report"])
    try:
        added = json.loads(subprocess.run([PROGRAM, "keys", "add", "aws", "--data", server.data, "--json"], capture_output=True, check=True).stdout)
        check = server.create(assurance="basic")
        perform(check, synthetic_head.head(binary, footage.shared() / "data"), performers.Turn())
        signed = check.result().json["signed"]
        outputs = run("guides/CompatibleAPIs.md", tmp_path, server, {
            'boto3.client("rekognition"': '__import__("boto3").client("rekognition"', "MIEN…": added["aws_access_key_id"],
            'aws_secret_access_key="…"': f'aws_secret_access_key="{added["aws_secret_access_key"]}"',
            "keys = jwt.": f'import jwt, requests; signed = "{signed}"; server = "http://127.0.0.1:{server.port}"\nkeys = jwt.',
            "algorithms=[\"ES256\"])": "algorithms=[\"ES256\"]); print(result)"})
    finally:
        server.clean()
    assert "aws_access_key_id" in outputs[0] and check.id in outputs[2], outputs


def test_captures(binary, tmp_path):
    (tmp_path / "photo.jpg").write_bytes(capture_files.jpeg(cv2.imdecode(np.frombuffer(capture_files.photo(31), np.uint8), cv2.IMREAD_COLOR)))
    (tmp_path / "Apple_App_Attestation_Root_CA.pem").write_bytes(Apple().pem())
    server = Server(binary)
    try:
        outputs = run("guides/Captures.md", tmp_path, server)
    finally:
        server.clean()
    assert '"cap_' in outputs[0], outputs


def test_expressions(server, tmp_path):
    lines = [{"mien": "observations", "version": 1, "source": "arkit", "frame_rate": 20},
             *expressions.expression_observations(["smile", "surprise"])]
    (tmp_path / "me.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    outputs = run("guides/Expressions.md", tmp_path, server, {"me.mov": "me.jsonl"})
    assert "smile" in outputs[0] and "surprise" in outputs[0], outputs


def test_face_match(binary, portraits, tmp_path):
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    for name in ("biden", "obama"):
        shutil.copy(MEDIA / f"{name}.jpg", tmp_path)
    (tmp_path / "people.tsv").write_text("path\tperson\npassport.jpg\tone\nselfie.jpg\tone\nbiden.jpg\tother\n")
    head = synthetic_head.head(binary, footage.shared() / "data")
    server = Server(binary, arguments=["--passive", "report", "--templates", "--default-assurance", "basic"])

    def take_check(folder, _):
        step = perform(Check(server, json.loads((folder / "check.json").read_text())), head, performers.Turn())
        assert step["state"] == "passed", step

    try:
        outputs = run("guides/FaceMatch.md", tmp_path, server, actions={"perform": take_check})
    finally:
        server.clean()
    assert "one person" in outputs[0] and '"id":"chk_' in outputs[1].replace(" ", ""), outputs


def test_photos(server, tmp_path):
    frames = capture_files.planes(3)
    for number, frame in enumerate(frames, 1):
        (tmp_path / f"{number}.jpg").write_bytes(frame)
    shutil.copy(tmp_path / "1.jpg", tmp_path / "photo.jpg")
    (tmp_path / "map.png").write_bytes(capture_files.depth(320, 240))
    (tmp_path / "clip.mp4").write_bytes(capture_files.encode_video(capture_files.planes(12)))
    signer = credentials.signer("Example")
    (tmp_path / "issuers.pem").write_text(signer.root)
    (tmp_path / "chain.pem").write_text(signer.chain)
    (tmp_path / "key.pem").write_text(signer.key)
    (tmp_path / "key.pem").chmod(0o600)
    outputs = run("guides/Photos.md", tmp_path, server)
    assert "moire" in outputs[0], outputs


def test_scans(server, tmp_path):
    parts = scans.parts()
    for name, file in (("image1", "1.jpg"), ("image2", "2.jpg"), ("image3", "3.jpg"), ("depth_scan", "depth_scan.bin"), ("metadata", "metadata.json")):
        (tmp_path / file).write_bytes(parts[name])
    outputs = run("guides/Scans.md", tmp_path, server)
    assert '"scan_id":"scn_' in outputs[0].replace(" ", ""), outputs


def test_surfaces(server, tmp_path):
    write_colored_scan(tmp_path / "chair")
    run("guides/Surfaces.md", tmp_path, server, {"SCAN": "chair"})
    assert (tmp_path / "face.glb").read_bytes().startswith(b"glTF") and (tmp_path / "depth.png").exists()


def test_backups(binary, tmp_path):
    server = Server(binary, loads_models=False)
    try:
        (tmp_path / "key-backup/sandbox").mkdir(parents=True, mode=0o700)
        for name in ("mien.keyring", "sandbox/mien.keyring"):
            shutil.copy(pathlib.Path(server.data, name), tmp_path / "key-backup" / name)
        run("operations/Backups.md", tmp_path, server, {"--data data  ": f"--data {server.data}  "})
    finally:
        server.clean()
    assert (tmp_path / "data-restored/mien.sqlite").exists() or list((tmp_path / "data-restored").iterdir())


def test_console(server, tmp_path):
    outputs = run("operations/Console.md", tmp_path, server)
    assert '"checks"' in outputs[0]


def test_scaling(server, postgres, s3, tmp_path):
    subprocess.run([PROGRAM, "keys", "add", "api", "--data", tmp_path / "old"], capture_output=True, check=True)
    run("operations/Scaling.md", tmp_path, server, {
        "createdb mien": ":", "/var/lib/mien-copy": str(tmp_path / "copy"), "--from /var/lib/mien": f"--from {tmp_path / 'old'}",
        "--data /var/lib/mien": f"--data {tmp_path / 'old-shared'}",
        "postgres://user:password@db.example:5432/mien?sslmode=require": postgres.url_for(str(tmp_path / "a")),
        "postgres://user:password@db.example/mien": postgres.url_for(str(tmp_path / "b")),
        "s3://faces/clinic?region=eu-central-1": f"s3://{BUCKET}/{tmp_path.name}?endpoint=http://127.0.0.1:{s3.port}",
        "s3://faces/clinic?endpoint=https://minio.example:9000": f"s3://{BUCKET}/{tmp_path.name}?endpoint=http://127.0.0.1:{s3.port}",
        "AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…": f"AWS_ACCESS_KEY_ID={s3_peer.ACCESS} AWS_SECRET_ACCESS_KEY={s3_peer.SECRET}"})


def test_security(binary, tmp_path):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                    "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"], check=True, capture_output=True)
    text = (DOCUMENTS / "operations/Security.md").read_text()
    # The page shows the file in a comment.
    settings = next(line.split("# ", 1)[1] for line in text.splitlines() if line.startswith("mien serve --config mien.json"))
    (tmp_path / "mien.json").write_text(settings)
    (tmp_path / "password.txt").write_text("correct horse battery staple 7\n")
    server = Server(binary, loads_models=False)
    try:
        # Commands of the page use the default folder.
        subprocess.run([PROGRAM, "keys", "add", "api", "--data", tmp_path / "data"], capture_output=True, check=True)
        listed = subprocess.run([PROGRAM, "keys", "list", "--data", tmp_path / "data"], capture_output=True, text=True, check=True).stdout
        outputs = run("operations/Security.md", tmp_path, server, {"key_0123456789abcdef": re.search(r"key_\w+", listed)[0]})
    finally:
        server.clean()
    assert any("anna" in text for text in outputs), outputs
