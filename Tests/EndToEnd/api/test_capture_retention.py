"""Tests of the captures' rate limits, retention, realms, deletion, crashes and backups."""

import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time

import pytest

from support.capture_files import BOUNDARY, PARTS, Phone, all_parts, form, photo, planes
from support.captures import await_analysis, files, lines, post, verify
from support.checks import keys
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models


def test_rate_limits_captures_and_verifications_per_address(server):
    own = Server(server.binary, arguments=["--capture-limit", "3"])
    try:
        for seed in (61, 62, 63):
            taken = post(own, {"photo": photo(seed)})
        refused = own.request("POST", "/v1/captures", form([("photo", photo(64))]), {
            "Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
        assert expect(refused, 429).json["code"] == "too-many-requests" and int(refused.headers["retry-after"]) > 60
        assert len(files(own)) == 3, files(own)
        for _ in range(3):
            verify(own, photo(61))
        verify(own, photo(61), 429)
        post(own, {"photo": photo(65)}, key=own.key)
        expect(own.request("GET", "/v1/captures/" + taken["id"]), 200)
    finally:
        own.stop()
        own.clean()


def test_captures_expire(server):
    own = Server(server.binary, arguments=["--capture-days", "1"])
    try:
        old, young = post(own, {**all_parts(66), "burst": planes(3)}), post(own, {"photo": photo(67)})
        await_analysis(own, old), await_analysis(own, young)
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite"), timeout=20) as db:
            db.execute("UPDATE capture SET received_ms = received_ms - 86400001 WHERE id = ?", (old["id"],))
        deadline = time.monotonic() + 120
        while own.request("GET", "/v1/captures/" + old["id"]).status != 404 or len(files(own)) > 1:
            assert time.monotonic() < deadline, files(own)
            time.sleep(0.1)
        expect(own.request("GET", "/v1/captures/" + young["id"]), 200)
    finally:
        own.stop()
        own.clean()


def test_sandbox_captures_are_separate(server):
    key = keys(server, "api", "--sandbox")["api_key"]
    picture = photo(68)
    taken = post(server, {"photo": picture}, key=key)
    assert taken["id"].startswith("captest_") and len(taken["id"]) == 36 and taken["page"] == "/verify/" + taken["id"]
    assert await_analysis(server, taken)["state"] == "analyzed"
    assert expect(server.request("GET", taken["photo"]["url"]), 200).body == picture
    assert verify(server, picture)["file"] == "unknown", "the live realm does not know it"
    found = expect(server.request("POST", "/v1/verify-file", picture, {"Content-Type": "image/png"}, key), 200).json
    assert found["captures"] == [taken["id"]], found
    expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=server.key), 404)
    expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=key), 204)
    live = post(server, {"photo": picture})
    expect(server.request("DELETE", "/v1/captures/" + live["id"], token=key), 404)
    phone = Phone(server)
    expect(server.request("DELETE", "/v1/devices/" + phone.name, token=key), 404)
    expect(phone.register(key), 201)
    reported = lines(post(server, phone.sign({"photo": photo(69)}), key=key))
    assert reported["signer"] == ("pass", ["registered-key"]), reported
    post(server, {"photo": picture}, 401, key="mientest_wrong")


def test_deletion_removes_everything(server):
    taken = post(server, all_parts(41))
    await_analysis(server, taken)
    place = "/v1/captures/" + taken["id"]
    before = files(server)
    for token in (None, "rcp_" + "x" * 43, "mien_wrong"):
        expect(server.request("DELETE", place, token=token), 401)
    expect(server.request("DELETE", place, token=taken["receipt"]), 204)
    assert len(files(server)) == len(before) - 2
    for path in (place, place + "/parts/photo", place + "/visualizations/depth"):
        expect(server.request("GET", path), 404)
    expect(server.request("DELETE", place, token=taken["receipt"]), 404)
    other = post(server, {"photo": photo(42)})
    expect(server.request("DELETE", "/v1/captures/" + other["id"], token=server.key), 204)
    assert taken["id"].encode() not in pathlib.Path(server.data, "mien.sqlite-wal").read_bytes()


def test_acknowledged_captures_survive_crashes_and_others_are_removed(server):
    own = Server(server.binary)
    try:
        taken = post(own, all_parts(43))
        body = form([("photo", photo(44))])
        with socket.create_connection(("127.0.0.1", own.port), 10) as line:
            line.sendall((f"POST /v1/captures HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=\"{BOUNDARY}\"\r\n"
                          f"Content-Length: {len(body)}\r\n\r\n").encode() + body[:-50])
            time.sleep(0.3)
            own.kill()
        (pathlib.Path(own.data) / "blobs" / "zz").mkdir(mode=0o700, exist_ok=True)
        (pathlib.Path(own.data) / "blobs" / "zz" / "borphanorphanorphanorphanorphazz").write_bytes(b"x")
        own.start()
        seen = await_analysis(own, taken)
        assert seen["state"] == "analyzed", "what waited is analyzed by the next process"
        assert len(files(own)) == 2, files(own)
        assert expect(own.request("GET", f"/v1/captures/{taken['id']}/parts/photo"), 200).body == photo(43)
    finally:
        own.stop()
        own.clean()


def test_backup_restores_captures_with_their_files(server):
    own = Server(server.binary)
    place = pathlib.Path(tempfile.mkdtemp(prefix="mien-captures-"))
    try:
        parts = all_parts(46)
        taken = post(own, parts)
        await_analysis(own, taken)
        subprocess.run([own.binary, "backup", str(place / "copy"), "--data", own.data, "--with-keyrings"], check=True,
                       capture_output=True, timeout=300)
        own.kill()
        subprocess.run([own.binary, "restore", str(place / "copy"), "--data", str(place / "data")], check=True,
                       capture_output=True, timeout=300)
        again = Server(own.binary, data=str(place / "data"))
        try:
            assert await_analysis(again, taken)["state"] == "analyzed"
            for name in PARTS:
                reply = expect(again.request("GET", f"/v1/captures/{taken['id']}/parts/{name}"), 200)
                assert reply.body == parts[name], name
        finally:
            again.stop()
    finally:
        own.clean()
        shutil.rmtree(place, ignore_errors=True)


def test_without_demo_mode_creating_needs_a_key_and_reading_does_not(server):
    own = Server(server.binary, arguments=["--no-demo"])
    try:
        picture = photo(45)
        post(own, {"photo": picture}, 401)
        post(own, {"photo": picture}, 401, key="mien_wrong")
        taken = post(own, {"photo": picture}, key=own.key)
        await_analysis(own, taken)
        assert verify(own, picture)["captures"] == [taken["id"]]
        phone = Phone(own, register=False)
        expect(phone.register(), 401)
        expect(phone.register(own.key), 201)
    finally:
        own.stop()
        own.clean()
