"""Tests of content credentials in the API: verified files, captures, and a server without the library."""

import io
import json
import os
import shutil
import subprocess
import zipfile

import c2pa
import pytest

from support import credentials as c, messages, photo_formats, scans
from support.captures import await_analysis, post, verify
from support.encryption import assert_absent, stored_bytes
from support.listener import listener
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models

STUDIO = c.signer("Studio")


@pytest.fixture(scope="module")
def trusting(binary, server_defaults, tmp_path_factory):
    """A server that trusts the studio's issuer, named in its configuration file."""
    folder = tmp_path_factory.mktemp("trust")
    (folder / "anchors.pem").write_text(STUDIO.root)
    (folder / "mien.json").write_text(f'{{"provenance-trust": ["{folder / "anchors.pem"}"]}}')
    server = Server(binary, arguments=["--config", str(folder / "mien.json")])
    yield server
    server.clean()


def test_verified_files_state_who_signed_and_what_changed(server, trusting):
    good = c.sign(c.image("jpg"), "jpg", STUDIO)
    for one, trust in ((trusting, "trusted"), (server, "untrusted")):
        found = verify(one, good)
        assert found["file"] == "unknown" and found["results"], "the checks run beside it"
        assert found["provenance"]["status"] == "credential"
        assert found["provenance"]["credential"]["trust"] == trust
        assert c.ours(found["provenance"]) == c.reference(good, "jpg", STUDIO.root if one is trusting else "")
    changed = verify(trusting, c.flipped(good, [len(good) - 9])[0])["provenance"]["credential"]
    assert changed["trust"] == "invalid" and changed["changed"] == [{"part": "content"}], changed
    assert verify(trusting, c.image("png"))["provenance"] == {"status": "none"}
    assert changed["revocation"] == "not-checked", "no revocation list is fetched"


def test_a_credential_is_no_finding(trusting):
    """The findings and the summary of a file are the same with and without a credential, and with a broken one."""
    plain = c.image("jpg")
    good = c.sign(plain, "jpg", STUDIO)
    findings = []
    for data in (plain, good, c.flipped(good, [good.index(b"digitalCapture")])[0]):
        found = verify(trusting, data)
        findings.append(([(check["check"], check.get("result"), check.get("native")) for check in found["results"]["checks"]], found["summary"]))
    assert findings[0] == findings[1] == findings[2], findings


def test_captures_keep_the_credential_of_their_photo(trusting):
    good = c.sign(c.image("jpg", 2), "jpg", STUDIO)
    seen = await_analysis(trusting, post(trusting, {"photo": good}))
    assert seen["provenance"]["credential"]["trust"] == "trusted", seen["provenance"]
    assert seen["provenance"]["credential"]["signer"]["common_name"] == "Studio"
    found = verify(trusting, good)
    assert found["file"] == "known" and found["captures"] == [seen["id"]] and found["provenance"] == seen["provenance"]
    tampered = await_analysis(trusting, post(trusting, {"photo": c.flipped(good, [len(good) - 9])[0]}))
    assert tampered["provenance"]["credential"]["changed"] == [{"part": "content"}]
    plain = await_analysis(trusting, post(trusting, {"photo": c.image("jpg", 3)}))
    assert plain["provenance"] == {"status": "none"}
    hidden = post(trusting, {"digests": {"photo": "a" * 64}})
    assert "provenance" not in hidden, "there is no photo"
    assert_absent([b"Studio Ltd", b"assertion.dataHash"], stored_bytes(trusting))


def test_the_server_fetches_nothing(trusting):
    with listener() as (port, seen):
        address = f"http://127.0.0.1:{port}/manifest.c2pa"
        away = c.sign(c.image("jpg", 4), "jpg", STUDIO, remote=address, embedded=False)
        assert verify(trusting, away)["provenance"] == {"status": "elsewhere", "address": address}
        assert await_analysis(trusting, post(trusting, {"photo": away}))["provenance"]["status"] == "elsewhere"
        assert seen == [], seen


def test_a_server_without_the_library_works(server, tmp_path):
    class ServerWithoutLibrary(Server):
        environment = {**os.environ, "MIEN_PARTS": str(tmp_path)}

    own = ServerWithoutLibrary(server.binary)
    try:
        good = c.sign(c.image("jpg", 5), "jpg", STUDIO)
        assert verify(own, good)["provenance"] == {"status": "not-available"}
        assert await_analysis(own, post(own, {"photo": good}))["provenance"] == {"status": "not-available"}
        own.stop()
        assert any("install-provenance" in line for line in own.lines), own.lines
    finally:
        own.clean()


def test_an_unusable_trust_list_stops_the_start(server, tmp_path):
    (tmp_path / "empty.pem").write_text("no certificate")
    (tmp_path / "broken.pem").write_text(STUDIO.root.replace("M", "N"))
    (tmp_path / "short.pem").write_text(STUDIO.root + STUDIO.root[:200])
    for name in ("empty.pem", "broken.pem", "short.pem", "missing.pem"):
        run = subprocess.run(
            [server.binary, "serve", "--port", "0", "--data", str(tmp_path / "data"), "--provenance-trust", str(tmp_path / name)],
            capture_output=True, text=True, timeout=120)
        assert run.returncode == 2 and "--provenance-trust" in run.stderr and name in run.stderr, (name, run.returncode, run.stderr)


def test_gifs_of_messages_are_signed_with_the_operators_certificate(server, tmp_path):
    (tmp_path / "chain.pem").write_text(STUDIO.chain)
    (tmp_path / "key.pem").write_text(STUDIO.key)
    files = ["--provenance-certificate", str(tmp_path / "chain.pem"), "--provenance-key", str(tmp_path / "key.pem")]

    def refused(words):
        run = subprocess.run([server.binary, "serve", "--port", "0", "--data", str(tmp_path / "data"), *files],
                             capture_output=True, text=True, timeout=120)
        assert run.returncode == 2 and words in run.stderr, run.stderr

    (tmp_path / "key.pem").chmod(0o644)
    refused("open to other users")
    (tmp_path / "key.pem").chmod(0o600)
    (tmp_path / "key.pem").write_text(c.signer("Another").key)
    refused("--provenance-certificate")
    (tmp_path / "key.pem").write_text(STUDIO.key)
    own = Server(server.binary, arguments=files)
    try:
        signed, plain = (gif(one) for one in (own, server))
        for trust, state in ((STUDIO.root, "Trusted"), ("", "Valid")):
            assert c.reference(signed, "gif", trust)[0] == state
        assert c.second(signed, "gif", STUDIO.root) == "Trusted"
        assert c.reference(plain, "gif", "") == ("none",)
        found = verify(own, signed)["provenance"]["credential"]
        assert found["actions"][0]["source_type"] == "algorithmicMedia" and found["generators"][0]["name"] == "Mien", found
        assert STUDIO.key.splitlines()[1].encode() not in b"".join(stored_bytes(own).values()), "the key is not copied"
    finally:
        own.clean()


def signing(folder, with_key=True):
    """Returns the options to sign with the studio's certificate, whose files are written into a folder."""
    (folder / "chain.pem").write_text(STUDIO.chain)
    key = folder / "key.pem"
    key.touch(mode=0o600)
    key.write_text(STUDIO.key)
    return ["--provenance-certificate", str(folder / "chain.pem"), *(["--provenance-key", str(key)] if with_key else [])]


def sidecar_state(data, kind, credential, roots):
    """Returns the state of a credential beside its file according to c2pa-python, the failures, and the manifest."""
    with c2pa.Reader(kind, io.BytesIO(data), credential, context=c.context(roots)) as reader:
        report = json.loads(reader.json())
    failures = [status["code"] for status in report["validation_results"]["activeManifest"]["failure"]]
    return report["validation_state"], failures, report["manifests"][report["active_manifest"]]


def test_captures_are_signed_as_received(server, tmp_path):
    """The server's credential lies beside the photo, which stays as it is, also if it has a credential of its own."""
    own = Server(server.binary, arguments=signing(tmp_path), loads_models=False)
    try:
        heic = photo_formats.convert(c.image("png", 8, 320, 240), "heic")
        for data, kind in ((c.image("jpg", 6), "image/jpeg"), (c.sign(c.image("jpg", 7), "jpg", c.signer("Camera")), "image/jpeg"),
                           (heic, "image/heic")):
            seen = await_analysis(own, post(own, {"photo": data}))
            assert seen["reception"]["signer"]["common_name"] == "Studio", seen["reception"]
            reply = expect(own.request("GET", seen["reception"]["url"]), 200)
            assert reply.headers["content-type"] == "application/c2pa" and len(reply.body) == seen["reception"]["bytes"]
            state, failures, manifest = sidecar_state(data, kind, reply.body, STUDIO.root)
            assert (state, failures) == ("Trusted", []), (kind, state, failures)
            actions = {action["action"]: action for part in manifest["assertions"] if part["label"].startswith("c2pa.actions")
                       for action in part["data"]["actions"]}
            assert set(actions) == {"c2pa.opened", "mien.received"}, actions
            assert actions["mien.received"]["when"] == seen["received_at"] and seen["id"] in manifest["title"], manifest
            assert not any("digitalSourceType" in action for action in actions.values()), "nothing is stated about the origin"
            changed = c.flipped(data, [len(data) - 9])[0]
            assert "assertion.dataHash.mismatch" in sidecar_state(changed, kind, reply.body, STUDIO.root)[1]
        assert_absent([b"mien.received", b"Studio Ltd"], stored_bytes(own))
        without = await_analysis(server, post(server, {"photo": c.image("jpg", 6)}))
        assert "reception" not in without
        assert expect(server.request("GET", f"/v1/captures/{without['id']}/reception"), 404).json["code"] == "not-found"
    finally:
        own.clean()


def test_the_key_is_sealed_and_its_file_needed_once(server, tmp_path):
    first = signing(tmp_path)
    own = Server(server.binary, arguments=first, loads_models=False)
    try:
        own.stop()
        (tmp_path / "key.pem").unlink()
        assert STUDIO.key.splitlines()[1].encode() not in b"".join(stored_bytes(own).values()), "the key is sealed"
        own.arguments = [argument for argument in own.arguments if argument not in first[2:]]
        own.start()
        assert await_analysis(own, post(own, {"photo": c.image("jpg", 9)}))["reception"]["signer"]["common_name"] == "Studio"
    finally:
        own.clean()
    run = subprocess.run([server.binary, "serve", "--port", "0", "--data", str(tmp_path / "other"), *first[:2]],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 2 and "--provenance-key once" in run.stderr, run.stderr


#: A library with the functions that are used, whose reader crashes.
CRASHING = """
#include <stdlib.h>
#define HANDLE(name) void *c2pa_##name(void) { return (void *)8; }
#define NUMBER(name) int c2pa_##name(void) { return 0; }
HANDLE(create_stream) NUMBER(release_stream) HANDLE(settings_new) NUMBER(settings_update_from_string) HANDLE(context_builder_new)
NUMBER(context_builder_set_settings) NUMBER(context_builder_set_progress_callback) HANDLE(http_resolver_create)
NUMBER(context_builder_set_http_resolver) HANDLE(context_builder_build) HANDLE(reader_from_context) NUMBER(signer_from_info)
NUMBER(reader_json) HANDLE(builder_from_context) HANDLE(builder_with_definition) NUMBER(builder_sign) NUMBER(builder_set_intent)
NUMBER(builder_set_no_embed) NUMBER(free)
char *c2pa_version(void) { return "c2pa-c/0.0.0"; }
char *c2pa_error(void) { return ""; }
void *c2pa_reader_with_stream(void) { abort(); }
"""


def test_a_crash_of_the_library_ends_only_its_process(server, tmp_path):
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "c2pa").mkdir()
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", tmp_path / "c2pa/libc2pa_c.so"], input=CRASHING, text=True,
                   check=True, timeout=120)

    class ServerWithCrashingLibrary(Server):
        environment = {**os.environ, "MIEN_PARTS": str(tmp_path)}

    own = ServerWithCrashingLibrary(server.binary, loads_models=False)
    try:
        picture = c.sign(c.image("jpg", 10), "jpg", STUDIO)
        for _ in range(2):
            found = verify(own, picture)
            assert found["provenance"] == {"status": "not-assessed", "reason": "failed"}, found["provenance"]
            assert found["results"]["status"] == "complete", "the checks run beside it"
        assert await_analysis(own, post(own, {"photo": picture}))["provenance"] == {"status": "not-assessed", "reason": "failed"}
        assert own.process.poll() is None, "the server runs"
    finally:
        own.clean()


def test_a_surface_of_a_scan_is_signed(server, tmp_path):
    """GLB and USDZ have credentials beside them, which are part of the archive of all files."""
    own = Server(server.binary, arguments=signing(tmp_path))
    try:
        scan = scans.done(own, scans.post(own, scans.parts(), key=own.key), key=own.key)
        named = {result["name"]: result for result in scan["results"]}
        for name, kind in (("model.glb", "model/gltf-binary"), ("model.usdz", "model/vnd.usdz+zip")):
            model, credential = (expect(own.request("GET", named[one]["url"], token=own.key), 200).body
                                 for one in (name, name + ".c2pa"))
            state, failures, manifest = sidecar_state(model, kind, credential, STUDIO.root)
            assert (state, failures, manifest["title"]) == ("Trusted", [], name), (state, failures)
            assert "assertion.dataHash.mismatch" in sidecar_state(model[:-1] + b"x", kind, credential, STUDIO.root)[1]
        archive = zipfile.ZipFile(io.BytesIO(own.request("GET", f"/v1/scans/{scan['id']}/export", token=own.key).body))
        assert {"results/model.glb.c2pa", "results/model.usdz.c2pa"} <= set(archive.namelist()), archive.namelist()
        assert named["model.glb.c2pa"]["type"] == "application/c2pa", named["model.glb.c2pa"]
    finally:
        own.clean()


def gif(server):
    """Returns the GIF of a new message, whose ID can be read in it."""
    taken = messages.lock(server)
    data = expect(server.request("GET", f"/v1/messages/{taken['id']}/gif"), 200).body
    read = expect(server.request("POST", "/v1/messages/read-id", data, {"Content-Type": "image/gif"}), 200).json
    assert read["id"] == taken["id"], read
    return data
