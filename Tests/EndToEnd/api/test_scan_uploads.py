"""Tests of resumable scan uploads by tus."""

import base64
import email.utils
import hashlib
import os
import socket
import time

from support.replies import expect
from support.scans import OCTETS, TUS, checksum, create, files_on_disk, get, head, patch
from support.server import Server


def test_uploads_follow_the_tus_protocol(server):
    reply = server.request("OPTIONS", "/v1/uploads")
    assert reply.status == 204 and reply.headers["tus-version"] == "1.0.0"
    assert set(reply.headers["tus-extension"].split(",")) == {"creation", "checksum", "termination", "expiration"}
    assert set(reply.headers["tus-checksum-algorithm"].split(",")) == {"sha1", "sha256"}
    assert int(reply.headers["tus-max-size"]) == 2048 << 20
    body = bytes(range(256)) * 4096
    scan = create(server, [{"name": "depth_scan.bin", "bytes": len(body), "type": "application/octet-stream"}])
    upload = scan["files"][0]["upload"]
    first = head(server, upload)
    assert first.headers["upload-offset"] == "0" and first.headers["upload-length"] == str(len(body))
    assert first.headers["cache-control"] == "no-store" and first.headers["tus-resumable"] == "1.0.0"
    waits = email.utils.parsedate_to_datetime(first.headers["upload-expires"]).timestamp() - time.time()
    assert 86_000 < waits < 86_401 and first.headers["upload-expires"].endswith(" GMT"), first.headers["upload-expires"]
    for headers in ({}, {"Tus-Resumable": "0.2.2"}):
        for method in ("HEAD", "PATCH", "DELETE"):
            reply = server.request(method, upload, headers=headers)
            assert reply.status == 412 and reply.headers["tus-version"] == "1.0.0", reply
    half = len(body) // 2
    assert "upload-expires" in patch(server, upload, 0, body[:half]).headers
    patch(server, upload, 0, body, 409, "offset-mismatch")
    patch(server, upload, half + 1, body[half:], 409, "offset-mismatch")
    patch(server, upload, half, body[half:] + b"x", 413, "body-too-large")
    assert int(head(server, upload).headers["upload-offset"]) == half
    quarter = body[half:half + half // 2]
    patch(server, upload, half, quarter, 460, "checksum-mismatch", Upload_Checksum=checksum(b"other"))
    assert int(head(server, upload).headers["upload-offset"]) == half
    for wrong in ("md5 AAAA", "sha256", "sha256 !!", "nothing"):
        patch(server, upload, half, quarter, 400, "bad-form", Upload_Checksum=wrong)
    patch(server, upload, half, quarter, Upload_Checksum=checksum(quarter))
    rest = body[half + len(quarter):]
    expect(server.request("POST", f"/v1/scans/{scan['id']}/submit"), 409, "files-incomplete")
    last = patch(server, upload, half + len(quarter), rest, Upload_Checksum=checksum(rest, "sha1"))
    whole = head(server, upload)
    assert int(whole.headers["upload-offset"]) == len(body)
    assert "upload-expires" not in last.headers and "upload-expires" not in whole.headers, "what is whole stays"
    patch(server, upload, len(body), b"")
    patch(server, upload, len(body), b"x", 413, "body-too-large")
    reply = server.request("PATCH", upload, b"x", {**TUS, "Upload-Offset": "0", "Content-Type": "text/plain"})
    expect(reply, 415, "unsupported-media-type")
    for offset in ("-1", "1.5", "x", "9" * 30):
        patch(server, upload, offset, b"x", 422, "bad-value")
    file = get(server, scan["id"])["files"][0]
    assert file["sha256"] == hashlib.sha256(body).hexdigest() and "upload" not in file
    assert server.request("GET", file["url"]).body == body


def test_uploads_can_be_created_and_terminated(server):
    scan = create(server, [])["id"]
    before = files_on_disk(server)
    def make(name, length, status=201, code=None, **headers):
        said = f"scan {base64.b64encode(scan.encode()).decode()},name {base64.b64encode(name.encode()).decode()}"
        reply = server.request("POST", "/v1/uploads", b"", {**TUS, "Upload-Length": str(length), "Upload-Metadata": said, **headers})
        expect(reply, status, code)
        return reply.headers.get("location")
    upload = make("depth/000001.png", 10)
    assert "upload-expires" in head(server, upload).headers
    make("depth/000001.png", 10, 422, "bad-value")
    for name in ("../x", "/etc/passwd", "a/../b", "", ".hidden", "a\\b", "c:d", "a/b/c/d/e", "x" * 201, "a\0b"):
        make(name, 10, 422, "bad-value")
    make("big", 3 << 30, 413, "body-too-large")
    make("none", 0, 422, "bad-value")
    make("none", "x", 422, "bad-value")
    make("none", 5, 400, "bad-form", **{"Upload-Metadata": "scan %%%,name !"})
    make("none", 5, 422, "bad-value", **{"Upload-Metadata": ""})
    patch(server, upload, 0, b"12345")
    assert files_on_disk(server) != before
    expect(server.request("DELETE", upload, headers=TUS), 204)
    assert files_on_disk(server) == before
    assert server.request("HEAD", upload, headers=TUS).status == 404
    patch(server, upload, 5, b"12345", 404, "not-found")
    for name in ("upl_" + "x" * 32, "upl_..", "%2e%2e%2fmien.keyring"):
        patch(server, "/v1/uploads/" + name, 0, b"x", 404, "not-found")
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 409, "files-incomplete")
    create(server, [{"name": "a", "bytes": 1}, {"name": "a", "bytes": 1}], 422, "bad-value")
    create(server, [{"name": "a", "bytes": 2 << 30}, {"name": "b", "bytes": 2**63 - 1}], 413, "body-too-large")
    create(server, [{"name": "a", "bytes": 1, "odd": 1}], 400, "unknown-key")
    create(server, [{"name": "a"}], 400, "bad-json")
    create(server, [], 422, "bad-value", kind="dog")
    create(server, [], 422, "bad-value", photos_expected=-1)
    expect(server.request("DELETE", f"/v1/scans/{scan}"), 204)


def test_repeated_request_creates_one_scan(server):
    files = [{"name": "a.bin", "bytes": 5}]
    key = {"Idempotency-Key": "phone-7_1"}
    one = create(server, files, headers=key)
    assert create(server, files, 200, headers=key)["id"] == one["id"]
    assert create(server, files)["id"] != one["id"]
    create(server, files, 422, "bad-value", headers={"Idempotency-Key": "a b"})


def test_upload_survives_a_server_crash(server):
    own = Server(server.binary, loads_models=False)
    try:
        body = os.urandom(9 << 20)
        scan = create(own, [{"name": "scan.zip", "bytes": len(body)}])
        upload = scan["files"][0]["upload"]
        patch(own, upload, 0, body[:1 << 20])
        # Sends most of a piece, then kills the server before the last byte.
        with socket.create_connection(("127.0.0.1", own.port)) as line:
            line.sendall((f"PATCH {upload} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: {1 << 20}\r\n"
                          f"Content-Type: {OCTETS}\r\nContent-Length: {8 << 20}\r\n\r\n").encode())
            line.sendall(body[1 << 20:8 << 20])
            deadline = time.monotonic() + 120
            while int(head(own, upload).headers["upload-offset"]) == 1 << 20:
                assert time.monotonic() < deadline, "nothing of the piece was noted"
                time.sleep(0.05)
            patch(own, upload, int(head(own, upload).headers["upload-offset"]), b"x", 423, "upload-busy")
            own.kill()
        own.start()
        offset = int(head(own, upload).headers["upload-offset"])
        assert 1 << 20 < offset <= 8 << 20, offset
        # A piece with a checksum that is cut off is discarded.
        with socket.create_connection(("127.0.0.1", own.port)) as line:
            line.sendall((f"PATCH {upload} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: {offset}\r\n"
                          f"Upload-Checksum: {checksum(body[offset:])}\r\n"
                          f"Content-Type: {OCTETS}\r\nContent-Length: {len(body) - offset}\r\n\r\n").encode())
            line.sendall(body[offset:offset + 500_000])
        deadline = time.monotonic() + 120
        while True:
            reply = own.request("PATCH", upload, body[offset:], {**TUS, "Content-Type": OCTETS, "Upload-Offset": str(offset)})
            if reply.status != 423:
                break
            assert time.monotonic() < deadline, reply
            time.sleep(0.1)
        expect(reply, 204)
        file = get(own, scan["id"])["files"][0]
        assert file["sha256"] == hashlib.sha256(body).hexdigest()
        assert own.request("GET", file["url"]).body == body
    finally:
        own.clean()


def test_upload_whose_bytes_were_lost_restarts(server):
    body = os.urandom(5000)
    scan = create(server, [{"name": "a.bin", "bytes": len(body)}])
    upload = scan["files"][0]["upload"]
    before = files_on_disk(server)
    patch(server, upload, 0, body[:2000])
    # As after restoring the database without all files.
    for name in set(files_on_disk(server)) - set(before):
        os.unlink(os.path.join(server.data, name))
    patch(server, upload, 2000, body[2000:], 409, "offset-mismatch")
    assert head(server, upload).headers["upload-offset"] == "0"
    patch(server, upload, 0, body)
    assert get(server, scan["id"])["files"][0]["sha256"] == hashlib.sha256(body).hexdigest()
