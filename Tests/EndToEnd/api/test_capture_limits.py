"""Tests of the size limits of photos in captures, verified files and scans."""

import hashlib
import http.client
import json

import pytest

from support.capture_files import BOUNDARY, planes
from support.captures import await_analysis, check_nothing_stored, lines
from support.replies import conforms, expect
from support.scans import HEIGHT, WIDTH, done, maps, metadata
from support.server import Reply
from support.serving import serving

pytestmark = pytest.mark.without_models
# Limits of captures and of files to verify (Documentation/guides/Captures.md), and of scans (Documentation/guides/Scans.md).
OF_A_CAPTURE, OF_A_SCAN = 32 << 20, 64 << 20
PIECE = bytes(1 << 20)


def photograph(size):
    """Yields a JPEG of `size` bytes."""
    picture = planes(1)[0]
    yield picture
    left = size - len(picture)
    while left > 0:
        yield PIECE[:left]
        left -= len(PIECE)


def form(parts):
    """Yields a multipart form; each part is an iterable of pieces."""
    for name, pieces in parts.items():
        yield (f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}.bin"\r\n'
               "Content-Type: application/octet-stream\r\n\r\n").encode()
        yield from pieces
        yield b"\r\n"
    yield f"--{BOUNDARY}--\r\n".encode()


def send_body(server, path, body, kind, chunked=False):
    """Sends the body that `body` generates and returns the reply; chunked bodies have no Content-Length."""
    reported = {} if chunked else {"Content-Length": str(sum(map(len, body())))}
    return server.request("POST", path, body(), {"Content-Type": kind, **reported})


def reply_to_announced_body(server, path, length, kind):
    """Returns the reply to a request that announces a body and sends none of it."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        connection.putrequest("POST", path)
        connection.putheader("Content-Type", kind)
        connection.putheader("Content-Length", str(length))
        connection.endheaders()
        reply = connection.getresponse()
        return Reply(reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read())
    finally:
        connection.close()


def too_large(reply, limit, *words):
    """Checks that a 413 reply states the limit."""
    detail = expect(reply, 413, "body-too-large").json["detail"]
    assert all(word in detail for word in (str(limit), "limit", *words)), detail


def test_size_limit_of_a_captures_photo_is_exact(server):
    kind, largest = f'multipart/form-data; boundary="{BOUNDARY}"', OF_A_CAPTURE
    digest = hashlib.sha256()
    for piece in photograph(largest):
        digest.update(piece)
    for chunked in (False, True):
        taken = expect(send_body(server, "/v1/captures", lambda: form({"photo": photograph(largest)}), kind, chunked), 201).json
        conforms("Capture", taken)
        assert taken["photo"]["bytes"] == largest and taken["photo"]["sha256"] == digest.hexdigest(), taken["photo"]
        seen = await_analysis(server, taken)
        assert seen["state"] == "analyzed" and "image-unreadable" not in lines(seen)["scene"][1], lines(seen)
        expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=taken["receipt"]), 204)
        check_nothing_stored(server, lambda: too_large(
            send_body(server, "/v1/captures", lambda: form({"photo": photograph(largest + 1)}), kind, chunked), largest, '"photo"'))


def test_size_limit_of_a_verified_file_is_exact(server):
    kind, largest = "application/octet-stream", OF_A_CAPTURE

    def act():
        for chunked in (False, True):
            reported = expect(send_body(server, "/v1/verify-file", lambda: photograph(largest), kind, chunked), 200).json
            conforms("VerifiedFile", reported)
            assert reported["file"] == "unknown" and "image-unreadable" not in reported["summary"][0]["reasons"], reported
        too_large(send_body(server, "/v1/verify-file", lambda: photograph(largest + 1), kind, chunked=True), largest)
        # An announced length over the limit is refused before the body is sent.
        too_large(reply_to_announced_body(server, "/v1/verify-file", largest + 1, kind), largest)

    check_nothing_stored(server, act)


def test_size_limit_of_a_scans_photo_is_exact_and_larger_ones_are_left_out(server):
    depth = maps(3, shift=61)
    said = metadata(3, len(depth), photo_count=2, depth_format={"width": WIDTH, "height": HEIGHT, "pixel": "uint16_mm"})
    parts = {"image1": photograph(OF_A_SCAN), "image2": photograph(OF_A_SCAN + 1), "depth_scan": [depth], "metadata": [said]}
    reply = server.request("POST", "/upload", form(parts), {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})
    found = done(server, expect(reply, 202).json["scan_id"])
    assert {file["name"]: file["bytes"] for file in found["files"]}.items() >= {
        "image1.jpg": OF_A_SCAN, "image2.jpg": OF_A_SCAN + 1}.items(), found["files"]
    assert [photo["name"] for photo in found["photos"]] == ["image1.jpg"], found["photos"]
    left_out = [remark for remark in found["remarks"] if remark["code"] == "note.photo-unreadable"]
    assert len(left_out) == 1 and left_out[0]["values"]["name"] == "image2.jpg", found["remarks"]
    assert f"{OF_A_SCAN >> 20} MB" in json.dumps(left_out[0]), left_out
    expect(server.request("DELETE", f"/v1/scans/{found['id']}"), 204)


def test_check_token_sends_few_captures(server):
    with serving(server, "--no-demo", "--check-captures", "2", "--check-capture-megabytes", "1") as own:
        picture = planes(1)[0]

        def send_capture(token, status=201, code=None, parts=None):
            kind = f'multipart/form-data; boundary="{BOUNDARY}"'
            body = b"".join(form(parts or {"photo": [picture]}))
            return expect(own.request("POST", "/v1/captures", body, {"Content-Type": kind}, token), status, code).json
        check, other, plain, scanning = (own.create(capture=True), own.create(capture=True), own.create(), own.create(scan=True))
        check_nothing_stored(own, lambda: send_capture(None, 401, "unauthorized"))
        for token in (plain.token, scanning.token):
            check_nothing_stored(own, lambda token=token: send_capture(token, 403, "capture-not-allowed"))
        head, claims, signature = check.token.split(".")
        for forged in (f"{head}.{claims}.{signature[:-4]}AAAA", f"{head}.{other.token.split('.')[1]}.{signature}", "a.b.c", "x"):
            check_nothing_stored(own, lambda forged=forged: send_capture(forged, 401, "unauthorized"))
        # The size of all parts together is limited, whichever part it is in.
        large = [PIECE, b"x"]
        check_nothing_stored(own, lambda: send_capture(check.token, 507, "storage-quota", {"photo": [picture], "depth_map": large}))
        check_nothing_stored(own, lambda: send_capture(check.token, 507, "storage-quota", {"photo": [picture, *large]}))
        first = send_capture(check.token)
        second = send_capture(check.token)
        check_nothing_stored(own, lambda: send_capture(check.token, 507, "storage-quota"))
        send_capture(other.token)
        # The token is for sending only; the receipt deletes the capture, and then another one may be sent.
        expect(own.request("DELETE", "/v1/captures/" + first["id"], token=check.token), 401, "unauthorized")
        expect(own.request("DELETE", "/v1/captures/" + first["id"], token=first["receipt"]), 204)
        third = send_capture(check.token)
        deleted = expect(own.request("DELETE", f"/v1/checks/{check.id}", headers={"Prefer": "return=representation"},
                                  token=own.key), 200).json
        assert deleted["deleted"]["captures"] == 2, deleted
        for capture in (second, third):
            expect(own.request("GET", "/v1/captures/" + capture["id"], token=own.key), 404, "not-found")
        check_nothing_stored(own, lambda: send_capture(check.token, 401, "unauthorized"))
