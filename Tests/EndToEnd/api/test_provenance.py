"""Tests of content credentials in the API: verified files, captures, and a server without the library."""

import os
import subprocess

import pytest

from support import credentials as c, messages
from support.captures import look, post, verify
from support.encryption import haystack, nowhere
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
    assert verify(trusting, b"no image")["provenance"] == {"status": "not-assessed", "reason": "unsupported"}


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
    seen = look(trusting, post(trusting, {"photo": good}))
    assert seen["provenance"]["credential"]["trust"] == "trusted", seen["provenance"]
    assert seen["provenance"]["credential"]["signer"]["common_name"] == "Studio"
    found = verify(trusting, good)
    assert found["file"] == "known" and found["captures"] == [seen["id"]] and found["provenance"] == seen["provenance"]
    tampered = look(trusting, post(trusting, {"photo": c.flipped(good, [len(good) - 9])[0]}))
    assert tampered["provenance"]["credential"]["changed"] == [{"part": "content"}]
    plain = look(trusting, post(trusting, {"photo": c.image("jpg", 3)}))
    assert plain["provenance"] == {"status": "none"}
    hidden = post(trusting, {"digests": {"photo": "a" * 64}})
    assert "provenance" not in hidden, "there is no photo"
    nowhere([b"Studio Ltd", b"assertion.dataHash"], haystack(trusting))


def test_the_server_fetches_nothing(trusting):
    with listener() as (port, seen):
        address = f"http://127.0.0.1:{port}/manifest.c2pa"
        away = c.sign(c.image("jpg", 4), "jpg", STUDIO, remote=address, embedded=False)
        assert verify(trusting, away)["provenance"] == {"status": "elsewhere", "address": address}
        assert look(trusting, post(trusting, {"photo": away}))["provenance"]["status"] == "elsewhere"
        assert seen == [], seen


def test_a_server_without_the_library_works(server, tmp_path):
    class Without(Server):
        environment = {**os.environ, "MIEN_PARTS": str(tmp_path)}

    own = Without(server.binary)
    try:
        good = c.sign(c.image("jpg", 5), "jpg", STUDIO)
        assert verify(own, good)["provenance"] == {"status": "not-available"}
        assert look(own, post(own, {"photo": good}))["provenance"] == {"status": "not-available"}
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
        assert STUDIO.key.splitlines()[1].encode() not in b"".join(haystack(own).values()), "the key is not copied"
    finally:
        own.clean()


def gif(server):
    """Returns the GIF of a new message, whose ID can be read in it."""
    taken = messages.lock(server)
    data = expect(server.request("GET", f"/v1/messages/{taken['id']}/gif"), 200).body
    read = expect(server.request("POST", "/v1/messages/read-id", data, {"Content-Type": "image/gif"}), 200).json
    assert read["id"] == taken["id"], read
    return data
