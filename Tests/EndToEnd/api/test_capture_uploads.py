"""Tests of malformed, unusual and interrupted capture uploads."""

import http.client
import json
import socket
import time

import pytest

from support.capture_files import BOUNDARY, Phone, all_parts, depth, form, photo, sha
from support.captures import check_nothing_stored, lines, post

pytestmark = pytest.mark.without_models


def test_rejected_uploads_leave_nothing(server):
    good, picture = all_parts(37), photo(37)
    cases = [
        ([], 422, "bad-value"),
        ([("metadata", "{}")], 422, "bad-value"),
        ([("photo", picture), ("photo", picture)], 400, "bad-form"),
        ([("photo", picture), ("extra", "1")], 400, "bad-form"),
        ([("photo", b"")], 422, "not-an-image"),
        ([("photo", b"RIFFxxxxWEBP")], 422, "not-an-image"),
        ([("photo", b"\0\0\0\x18ftypheic")], 422, "not-an-image"),
        ([("photo", picture), ("depth_map", b"")], 422, "bad-value"),
        ([("photo", picture), ("metadata", "")], 400, "bad-json"),
        ([("photo", picture), ("metadata", "[]")], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"captured_at_ms": "now"}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"captured_at_ms": -1}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"location": {"latitude": 91, "longitude": 0}}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"a": NaN}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", "[" * 5000)], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"a": "' + "x" * 70_000 + '"}')], 413, "body-too-large"),
        ([("photo", picture), ("detection", '{"moire": {"detected": 1}}')], 400, "bad-json"),
        ([("photo", picture), ("detection", '{"moire": {"detected": true, "confidence": 2}}')], 400, "bad-json"),
        ([("photo", picture), ("detection", '{"a": "' + "x" * 10_000_000 + '"}')], 413, "body-too-large"),
        ([("photo", picture), ("signature", "{}")], 400, "bad-json"),
        ([("photo", picture), ("signature", {"device": "a", "counter": 0, "photo": sha(picture), "signature": ""})], 422, "bad-value"),
        ([("photo", picture), ("signature", {"device": "a", "counter": 1, "photo": "xyz", "signature": ""})], 422, "bad-value"),
        ([("photo", picture), ("signature", {"device": "a", "counter": 1, "photo": sha(picture), "signature": "", "k": 1})], 400, "unknown-key"),
        ([("photo", picture), ("digests", {"photo": sha(picture)})], 422, "bad-value"),
        ([("depth_map", good["depth_map"]), ("digests", {"photo": sha(picture)})], 422, "bad-value"),
        ([("digests", {"photo": "00"})], 422, "bad-value"),
        ([("photo", b"\xff\xd8\xff" + b"\0" * (33 << 20))], 413, "body-too-large"),
    ]
    for parts, status, code in cases:
        found = {}
        check_nothing_stored(server, lambda: found.update(post(server, parts, status)))
        assert found["code"] == code, (code, found)


def test_accepts_multipart_forms_of_all_shapes(server):
    picture = photo(38)
    part = b'Content-Disposition: form-data; name="photo"\r\n\r\n' + picture + b"\r\n"
    for body, boundary, status in (
            (b"preamble\r\n--b\r\n" + part + b"--b--\r\nepilogue", "b", 201),
            (b"--b\r\n" + part + b"--b--", "b", 201),
            (b"\r\n--b \t\r\n" + part + b"--b--", "b", 201),
            (b"--" + b"x" * 70 + b"\r\n" + part + b"--" + b"x" * 70 + b"--", "x" * 70, 201),
            (b'--b\r\ncontent-DISPOSITION: form-data; name=photo; filename="a\\"b.jpg"; filename*=UTF-8\'\'%F0%9F%8D%95\r\n'
             b"Content-Length: 5\r\n\r\n" + picture + b"\r\n--b--", "b", 201),
            (b"--b\n" + part.replace(b"\r\n", b"\n") + b"--b--", "b", 400),
            (b"--b\r\n" + part + b"--c--", "b", 400),
            (b"", "b", 400),
            (b"--b\r\n" + b"X: " + b"y" * 9000 + b"\r\n" + part + b"--b--", "b", 400),
            (b"--b\r\nContent-Transfer-Encoding: base64\r\n" + part + b"--b--", "b", 400),
            (b"--b\r\n" + part + b"--b--", "", 400),
            (b"--b\r\n" + part + b"--b--", "x" * 71, 400)):
        nothing = status != 201
        act = lambda: post(server, None, status, body=body, boundary=boundary)
        check_nothing_stored(server, act) if nothing else act()
    for kind, status in (("image/png", 415), ("multipart/mixed; boundary=b", 415), ("multipart/form-data", 400)):
        check_nothing_stored(server, lambda: post(server, None, status, body=b"--b\r\n" + part + b"--b--", content_type=kind))


def test_accepts_a_chunked_form_in_small_pieces(server):
    body = form(list(Phone(server).sign(all_parts(39)).items()))

    def small_pieces():
        place = 0
        while place < len(body):
            size = 1 + place * 7919 % 3000
            yield body[place:place + size]
            place += size
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
    # An iterable without a length is sent chunked.
    connection.request("POST", "/v1/captures", small_pieces(), {
        "Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
    reply = connection.getresponse()
    reported = json.loads(reply.read())
    assert reply.status == 201 and lines(reported)["integrity"][0] == "pass", reported


def test_interrupted_form_leaves_nothing(server):
    body = form([("photo", photo(40, 640, 480)), ("depth_map", depth()), ("metadata", "{}")])
    head = (f"POST /v1/captures HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=\"{BOUNDARY}\"\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    for cut in (10, 200, len(body) // 2, len(body) - 500, len(body) - 5):
        def act():
            with socket.create_connection(("127.0.0.1", server.port), 10) as line:
                line.sendall(head + body[:cut])
                time.sleep(0.1)
        check_nothing_stored(server, act)
        check_nothing_stored(server, lambda: post(server, None, 400, body=body[:cut]))
