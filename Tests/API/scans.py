"""Tests of depth scans from phones, clinics and attackers against a real server.

Scans are synthetic; the chair of the shared data is used if it exists.
usage: scans.py --mien PATH_OF_THE_PROGRAM [NAME…]
"""

import base64
import email.utils
import hashlib
import io
import json
import os
import pathlib
import resource
import re
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

import numpy

sys.path.insert(0, os.path.dirname(__file__))
import footage
from capture_parts import BOUNDARY, form, photo
from run import Skip, conforms, expect, main
from server import Server

TESTS = []
TUS = {"Tus-Resumable": "1.0.0"}
OCTETS = "application/offset+octet-stream"
WIDTH, HEIGHT = 256, 192
RESULTS = {"model.glb", "model.ply", "model.obj", "model.stl", "model.usdz", "cloud.ply", "preview.png", "scan.mien",
           "scan.mtl", "report.json"}


def test(function):
    TESTS.append(function)
    return function


def maps(count, kind="<u2", shift=0):
    """Renders depth maps of a ball in front of a plane from a static camera; `shift` makes a different scan."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    u, v = (x - WIDTH / 2) / 212.0, (y - HEIGHT / 2) / 212.0
    a, near = 1 + u * u + v * v, 600 + shift
    inside = near * near - a * (near * near - 150 * 150)
    depth = numpy.where(inside > 0, (near - numpy.sqrt(numpy.maximum(inside, 0))) / a, 900 + shift)
    one = numpy.round(depth).astype(kind) if kind == "<u2" else (depth / 1000).astype(kind)
    return one.tobytes() * count


def metadata(count, size, **more):
    said = {"timestamp": "2025-01-15T10:30:45Z", "device": "iPhone 13 Pro", "ios_version": "15.0", "photo_count": 3,
            "depth_frame_count": count, "total_depth_bytes": size}
    said.update(more)
    return json.dumps({name: value for name, value in said.items() if value is not None}).encode()


def parts(count=6, kind="<u2", shift=0, **more):
    depth = maps(count, kind, shift)
    return {"image1": photo(1), "image2": photo(2), "image3": photo(3), "depth_scan": depth,
            "metadata": metadata(count, len(depth), **more)}


def post(server, sent, status=202, code=None, key=None):
    body = form(list(sent.items()) if isinstance(sent, dict) else sent)
    reply = server.request("POST", "/upload", body, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}, key)
    expect(reply, status, code)
    if status == 202:
        conforms("Uploaded", reply.json)
        return reply.json["scan_id"]
    return reply


def get(server, scan, key=None):
    reply = expect(server.request("GET", "/v1/scans/" + scan, token=key), 200).json
    conforms("Scan", reply)
    return reply


def settled(server, scan, key=None, seconds=120):
    """Waits until the scan needs no more processing and returns it."""
    deadline, last = time.monotonic() + seconds, 0
    while True:
        reply = get(server, scan, key)
        if reply["status"] not in ("queued", "working"):
            return reply
        assert not reply["results"] and "report" not in reply, "a scan that is not done shows results"
        assert time.monotonic() < deadline, reply
        time.sleep(0.1)


def done(server, scan, **more):
    reply = settled(server, scan, **more)
    assert reply["status"] == "done", reply
    return reply


def failed(server, scan, code, *words):
    reply = settled(server, scan)
    assert reply["status"] == "failed" and reply["problem"]["code"] == code, reply
    assert all(word in reply["problem"]["detail"] for word in words), reply["problem"]
    assert server.data not in reply["problem"]["detail"] and not reply["results"] and not reply["photos"]
    return reply


def create(server, files, status=201, code=None, key=None, headers=None, **more):
    reply = server.request("POST", "/v1/scans", {"files": files, **more}, headers, key)
    expect(reply, status, code)
    if status in (200, 201):
        conforms("Scan", reply.json)
    return reply.json


def head(server, upload, key=None):
    return expect(server.request("HEAD", upload, headers=TUS, token=key), 200)


def patch(server, upload, offset, body, status=204, code=None, key=None, **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    reply = server.request("PATCH", upload, body, {"Content-Type": OCTETS, "Upload-Offset": str(offset), **TUS, **headers},
                           key)
    expect(reply, status, code)
    assert reply.headers["tus-resumable"] == "1.0.0"
    return reply


def sent_by_tus(server, files, key=None, **more):
    """Creates a scan and sends all of its files as tus uploads."""
    scan = create(server, [{"name": name, "bytes": len(body)} for name, body in files.items()], key=key, **more)
    for file in scan["files"]:
        reply = patch(server, file["upload"], 0, files[file["name"]], key=key)
        assert int(reply.headers["upload-offset"]) == file["bytes"]
    return scan["id"]


def checksum(body, algorithm="sha256"):
    return f"{algorithm} {base64.b64encode(hashlib.new(algorithm, body).digest()).decode()}"


def files_on_disk(server, *folders):
    root = pathlib.Path(server.data)
    return sorted(str(path.relative_to(root)) for folder in folders or ("blobs", "uploads", "work")
                  for path in (root / folder).rglob("*") if path.is_file())


def gone(server, before):
    deadline = time.monotonic() + 20
    while files_on_disk(server) != before:
        assert time.monotonic() < deadline, set(files_on_disk(server)) ^ set(before)
        time.sleep(0.05)


@test
def the_app_s_own_upload_becomes_a_measured_surface(server):
    """Sends the request documented in the app's README, with curl if installed."""
    sent = parts(8, depth_format={"width": WIDTH, "height": HEIGHT, "pixel": "uint16_mm"})
    if shutil.which("curl"):
        with tempfile.TemporaryDirectory() as folder:
            command = ["curl", "-sS", "-w", "%{http_code}", "-o", os.path.join(folder, "reply")]
            names = {"depth_scan": ("depth_scan.bin", "application/octet-stream"), "metadata": ("m.json", "application/json")}
            for name, body in sent.items():
                file, type = names.get(name, (name.replace("image", "face") + ".jpg", "image/jpeg"))
                path = os.path.join(folder, file)
                pathlib.Path(path).write_bytes(body)
                command += ["-F", f"{name}=@{path};type={type}"]
            code = subprocess.run([*command, f"http://127.0.0.1:{server.port}/upload"], check=True, capture_output=True)
            reply = json.loads(pathlib.Path(folder, "reply").read_text())
            assert code.stdout == b"202", reply
            scan = reply["scan_id"]
    else:
        scan = post(server, sent)
    found = done(server, scan)
    assert {file["name"] for file in found["files"]} == {
        "depth_scan.bin", "image1.png", "image2.png", "image3.png", "metadata.json"}
    assert found["depth"]["frames"] == 8 and found["depth"]["width"] == WIDTH and found["depth"]["format"] == "depth_scan.bin"
    assert [item["name"] for item in found["report"]["items"]][-1] == "surface"
    assert found["report"]["outcome"] == found["grade"] == "fail", "photos without faces are no scan of a face"
    assert RESULTS <= {result["name"] for result in found["results"]}
    assert found["surface"]["triangles"] > 1000 and 250 < found["surface"]["size_millimetres"][0] < 1500, found["surface"]
    assert [photo["name"] for photo in found["photos"]] == ["image1.png", "image2.png", "image3.png"]
    # Photos without a face get the measures that apply to any image.
    light = ["luminance-mean", "luminance-variance", "under-exposure-prevention", "over-exposure-prevention", "dynamic-range"]
    assert all([one["name"] for one in photo["measures"]] == light for photo in found["photos"]), found["photos"]
    assert all(0 <= one["score"] <= 100 for photo in found["photos"] for one in photo["measures"]), found["photos"]
    for result in found["results"]:
        body = expect(server.request("GET", result["url"]), 200).body
        assert len(body) == result["bytes"] and hashlib.sha256(body).hexdigest() == result["sha256"]
    named = {result["name"]: result for result in found["results"]}
    assert server.request("GET", named["model.glb"]["url"]).body.startswith(b"glTF")
    assert server.request("GET", named["preview.png"]["url"]).body.startswith(b"\x89PNG")
    report = json.loads(server.request("GET", named["report.json"]["url"]).body)
    assert report["surface"] == found["surface"]
    frame = found["depth"]["frame_url"]
    assert expect(server.request("GET", frame.replace("{frame}", "7")), 200).body.startswith(b"\x89PNG")
    for number in ("8", "-1", "x", "99999999999999999999"):
        expect(server.request("GET", frame.replace("{frame}", number)), 404, "not-found")
    # The same files give the same scan, so that an app that lost the reply can send them again.
    before = files_on_disk(server)
    assert post(server, sent) == scan
    gone(server, before)


@test
def the_bundle_of_a_scan_is_the_one_of_the_command_line(server):
    """The server writes the bundle while it checks the scan; byte for byte it equals the output of `mien scan convert`."""
    depth = maps(40, shift=31)
    sent = {"depth_scan": depth, "metadata": metadata(
        40, len(depth), photo_count=0, depth_format={"width": WIDTH, "height": HEIGHT, "pixel": "uint16_mm"})}
    found = done(server, post(server, sent))
    bundle = next(result for result in found["results"] if result["name"] == "scan.mien")
    with tempfile.TemporaryDirectory() as folder:
        source, made = pathlib.Path(folder, "depth_scan.bin"), pathlib.Path(folder, "made.mienscan")
        source.write_bytes(depth)
        subprocess.run([server.binary, "scan", "convert", source, "-o", made, "--size", f"{WIDTH}x{HEIGHT}", "--samples", "u16"],
                       check=True, capture_output=True)
        body = made.read_bytes()
    assert expect(server.request("GET", bundle["url"]), 200).body == body
    assert bundle["bytes"] == len(body) and bundle["sha256"] == hashlib.sha256(body).hexdigest()


@test
def maps_that_do_not_say_their_kind_are_read_when_only_one_can_be_meant(server):
    for kind, name in (("<u2", "u16"), ("<f4", "f32"), ("<f2", "f16")):
        found = done(server, post(server, parts(4, kind, shift=3)))
        assert f"256×192 {name}" in " ".join(found["notes"]), found["notes"]
        said = {remark["code"]: remark for remark in found["remarks"]}
        assert said["note.read-as"]["values"] == {"layout": f"256×192 {name}"}, said
        assert [remark["words"] for remark in found["remarks"]] == found["notes"], found
        for item in found["report"]["items"]:
            assert item["remarks"] and item["words"] == " ".join(each["words"] for each in item["remarks"]), item


@test
def what_cannot_be_read_fails_and_says_what_to_do(server):
    depth = maps(4, shift=5)
    plain = {"depth_scan": depth}
    failed(server, post(server, plain), "refused", "256×192 u16", "depth_format")
    cases = [
        ("refused", metadata(4, len(depth) + 2), ["announces"]),
        ("refused", metadata(10**9, len(depth)), ["1000000000"]),
        ("refused", metadata(0, len(depth)), ["0 frames"]),
        ("refused", metadata(287, len(depth)), ["fits"]),
        ("refused", metadata(4, None, depth_format={"width": 100, "height": 100, "pixel": "uint16_mm"}), ["fits"]),
        ("refused", metadata(4, None, depth_format={"width": 0, "height": -5, "pixel": "uint16_mm"}), ["1 to 4096"]),
        ("bad-metadata", metadata(4, None, depth_format={"width": 256, "height": 192, "pixel": "uint8"}), ["pixel"]),
        ("bad-metadata", b"[1, 2", ["JSON"]),
        ("bad-metadata", metadata("many", len(depth)), ["metadata"]),
    ]
    for code, said, words in cases:
        failed(server, post(server, {"depth_scan": depth, "metadata": said}), code, *words)
    # Metadata in the app's form has a size limit; a metadata file received by upload does not, and processing reports its size.
    long = metadata(4, len(depth), note="x" * 70_000)
    scan = sent_by_tus(server, {"depth_scan.bin": depth, "metadata.json": long})
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 202)
    failed(server, scan, "bad-metadata", str(len(long)), "65536")
    found = done(server, post(server, {"depth_scan": depth, "metadata": metadata(4, len(depth), photo_count=7)}))
    assert "7 photos" in " ".join(found["notes"])
    assert {"photo-count": "fail"}.items() <= {item["name"]: item["outcome"] for item in found["report"]["items"]}.items()


def archive(entries, damage=lambda body: body):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in entries:
            archive.writestr(name, body)
    return damage(buffer.getvalue())


@test
def hostile_archives_and_bundles_fail_and_touch_nothing(server):
    outside = pathlib.Path(server.data).parent / "mien-escaped.bin"
    cases = [
        archive([("../../mien-escaped.bin", b"x"), ("depth_scan.bin", maps(1))]),
        archive([("/tmp/mien-escaped.bin", b"x")]),
        archive([("depth_scan.bin", bytes(40 << 20))]),
        archive([("depth_scan.bin", b"x")], lambda body: body[:-10]),
        b"PK\x03\x04" + bytes(100), b"\x89MSCAN\r\n" + bytes(60), b"\x89MSC",
        archive([("notes.txt", b"nothing of use")]),
    ]
    for number, body in enumerate(cases):
        reply = settled(server, post(server, {"scan": body}))
        assert reply["status"] == "failed", (number, reply)
        # No paths: neither the server's directory nor any other absolute path.
        assert not re.search(r"(^|[^\w.])/\w", reply["problem"]["detail"]), reply["problem"]
    assert not outside.exists() and not pathlib.Path("/tmp/mien-escaped.bin").exists()
    assert not files_on_disk(server, "work")


@test
def bad_forms_are_refused_whole(server):
    before = files_on_disk(server)
    good = parts(1, shift=9)
    post(server, [("image1", b"no picture")], 422, "not-a-picture")
    post(server, [("image1", photo(1)), ("image1", photo(2))], 400, "bad-form")
    post(server, [("image4", photo(1))], 400, "bad-form")
    post(server, [("depth_scan", b"")], 422, "bad-value")
    post(server, [("depth_scan", good["depth_scan"]), ("metadata", bytes(100_000))], 413, "body-too-large")
    post(server, [("label", b"\xff\xfe"), ("depth_scan", b"x")], 400, "bad-form")
    post(server, [("label", b"x" * 300), ("depth_scan", b"x")], 422, "bad-value")
    post(server, [("subject", b"sub_nobody"), ("depth_scan", b"x")], 422, "bad-value")
    post(server, [("label", b"no file")], 422, "bad-value")
    expect(server.request("POST", "/upload", b"{}", {"Content-Type": "application/json"}), 415, "unsupported-media-type")
    gone(server, before)


@test
def uploads_keep_to_tus(server):
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
    expect(server.request("POST", f"/v1/scans/{scan['id']}/submit"), 409, "not-whole")
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


@test
def uploads_can_be_made_and_ended(server):
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
    for name in ("upl_" + "x" * 32, "upl_..", "%2e%2e%2fmien.seal"):
        patch(server, "/v1/uploads/" + name, 0, b"x", 404, "not-found")
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 409, "not-whole")
    create(server, [{"name": "a", "bytes": 1}, {"name": "a", "bytes": 1}], 422, "bad-value")
    create(server, [{"name": "a", "bytes": 2 << 30}, {"name": "b", "bytes": 2**63 - 1}], 413, "body-too-large")
    create(server, [{"name": "a", "bytes": 1, "odd": 1}], 400, "unknown-key")
    create(server, [{"name": "a"}], 400, "bad-json")
    create(server, [], 422, "bad-value", kind="dog")
    create(server, [], 422, "bad-value", photos_expected=-1)
    expect(server.request("DELETE", f"/v1/scans/{scan}"), 204)


@test
def the_same_request_makes_one_scan(server):
    files = [{"name": "a.bin", "bytes": 5}]
    key = {"Idempotency-Key": "phone-7_1"}
    one = create(server, files, headers=key)
    assert create(server, files, 200, headers=key)["id"] == one["id"]
    assert create(server, files)["id"] != one["id"]
    create(server, files, 422, "bad-value", headers={"Idempotency-Key": "a b"})


@test
def an_upload_outlives_the_server_s_sudden_death(server):
    own = Server(server.binary, sees=False)
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
            deadline = time.monotonic() + 30
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
        deadline = time.monotonic() + 60
        while True:
            reply = own.request("PATCH", upload, body[offset:], {**TUS, "Content-Type": OCTETS, "Upload-Offset": str(offset)})
            if reply.status != 423:
                break
            assert time.monotonic() < deadline, reply
            time.sleep(0.1)
        expect(reply, 204)
        file = get(own, scan["id"])["files"][0]
        assert file["sha256"] == hashlib.sha256(body).hexdigest() and not files_on_disk(own, "uploads")
        assert own.request("GET", file["url"]).body == body
    finally:
        own.clean()


@test
def an_upload_whose_bytes_are_gone_begins_anew(server):
    body = os.urandom(5000)
    scan = create(server, [{"name": "a.bin", "bytes": len(body)}])
    upload = scan["files"][0]["upload"]
    patch(server, upload, 0, body[:2000])
    # As after a restore: backups contain no unfinished uploads.
    for name in files_on_disk(server, "uploads"):
        os.unlink(os.path.join(server.data, name))
    patch(server, upload, 2000, body[2000:], 409, "offset-mismatch")
    assert head(server, upload).headers["upload-offset"] == "0"
    patch(server, upload, 0, body)
    assert get(server, scan["id"])["files"][0]["sha256"] == hashlib.sha256(body).hexdigest()


@test
def work_is_taken_up_again_after_a_sudden_death(server):
    own = Server(server.binary)
    try:
        sent = parts(60, shift=11)
        scan = post(own, sent)
        deadline = time.monotonic() + 60
        while not files_on_disk(own, "work") or get(own, scan)["status"] != "working":
            assert time.monotonic() < deadline
            time.sleep(0.02)
        own.kill()
        # Temporary files left by a crash are encrypted.
        left = [pathlib.Path(own.data, name).read_bytes() for name in files_on_disk(own, "work")]
        shown = [body[place:place + 16] for body in sent.values() for place in (0, len(body) // 2)]
        assert left and not any(part in body for body in left for part in shown)
        own.start()
        found = done(own, scan, seconds=240)
        assert found["depth"]["frames"] == 60 and not files_on_disk(own, "work")
        assert len(files_on_disk(own, "blobs")) == len(found["files"]) + len(found["results"])
        own.kill()
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite")) as db:
            db.execute("UPDATE scan SET status = 'working', attempts = 3")
        own.start()
        assert failed(own, scan, "gave-up", "3 times")["status"] == "failed"
        expect(own.request("POST", f"/v1/scans/{scan}/retry"), 202)
        expect(own.request("POST", f"/v1/scans/{scan}/cancel"), 200)
    finally:
        own.clean()


@test
def work_can_be_cancelled_and_begun_again(server):
    long, waiting = post(server, parts(60, shift=13)), post(server, parts(4, shift=14))
    deadline = time.monotonic() + 60
    while (status := get(server, long)["status"]) != "working":
        assert status == "queued" and time.monotonic() < deadline, status
        time.sleep(0.02)
    for scan in (long, waiting):
        reply = expect(server.request("POST", f"/v1/scans/{scan}/cancel"), 200).json
        assert reply["status"] == "cancelled" and not reply["results"], reply
    expect(server.request("POST", f"/v1/scans/{long}/cancel"), 200)
    reply = expect(server.request("POST", f"/v1/scans/{waiting}/retry"), 202).json
    assert reply["status"] in ("queued", "working", "done")
    done(server, waiting)
    assert get(server, long)["status"] == "cancelled"
    expect(server.request("POST", f"/v1/scans/{waiting}/cancel"), 409, "wrong-state")
    before = files_on_disk(server)
    expect(server.request("DELETE", f"/v1/scans/{waiting}"), 204)
    expect(server.request("DELETE", f"/v1/scans/{waiting}"), 404, "not-found")
    assert len(files_on_disk(server)) < len(before)
    expect(server.request("DELETE", f"/v1/scans/{long}"), 204)
    # A scan deleted while it is processed is gone, and so are its results.
    before = files_on_disk(server)
    erased = post(server, parts(60, shift=15))
    while get(server, erased)["status"] != "working":
        assert time.monotonic() < deadline + 60
        time.sleep(0.02)
    expect(server.request("DELETE", f"/v1/scans/{erased}"), 204)
    gone(server, before)


@test
def files_come_in_parts(server):
    body = os.urandom(1000)
    scan = sent_by_tus(server, {"über raum/a b.bin": body})
    url = get(server, scan)["files"][0]["url"]
    def part(wanted, status, **headers):
        return expect(server.request("GET", url, headers={"Range": wanted, **headers}), status)
    assert part("bytes=10-19", 206).body == body[10:20] and part("bytes=990-", 206).body == body[990:]
    reply = part("bytes=-5", 206)
    assert reply.body == body[-5:] and reply.headers["content-range"] == "bytes 995-999/1000"
    assert part("bytes=0-99999", 206).body == body and part("bytes=-99999", 206).body == body
    for wanted in ("bytes=1000-", "bytes=1000-2000", "bytes=-0"):
        assert part(wanted, 416).headers["content-range"] == "bytes */1000"
    for wanted in ("bytes=5-2", "bytes=99999999999999999999-5", "bytes=0-1,5-6", "lines=1-2", "bytes=a-b", "bytes=", "bytes=-"):
        assert part(wanted, 200).body == body
    tag = server.request("GET", url).headers["etag"]
    assert part("bytes=0-0", 206, **{"If-Range": tag}).body == body[:1]
    assert part("bytes=0-0", 200, **{"If-Range": '"other"'}).body == body
    for name in ("nothing", "..%2f..%2fmien.seal", "../../../mien.seal", "%00"):
        assert server.request("GET", f"/v1/scans/{scan}/files/{name}").status in (400, 404)


@test
def clinics_see_what_is_to_be_done_and_erase_it(server):
    own = Server(server.binary, sees=False)
    try:
        day = time.strftime("%Y-%m-%d", time.gmtime())
        def subject(status=201, code=None, **body):
            reply = expect(own.request("POST", "/v1/subjects", body), status, code).json
            if status == 201:
                conforms("ScanSubject", reply)
            return reply
        ada, ben = subject(name="Ada L.", note="left ear", due="2031-05-04"), subject(name="Ben 100%", due="2031-05-05")
        for wrong in ({"name": ""}, {"name": "x" * 201}, {"name": "a\0"}, {"name": "a", "note": "\0"}, {"name": "a", "due": "2031-02-29"}, {"name": "a", "due": "4 May"}, {}):
            subject(422, "bad-value", **wrong)
        subject(400, "unknown-key", name="a", birthday="x")
        def listed(query):
            reply = expect(own.request("GET", "/v1/subjects" + query), 200).json
            conforms("ScanSubjectList", reply)
            return [item["id"] for item in reply["subjects"]]
        assert listed("?day=2031-05-04") == [ada["id"]] and listed("?q=%25") == [ben["id"]]
        assert listed("?q=LEFT") == [ada["id"]] and listed("") == [ben["id"], ada["id"]]
        scan = sent_by_tus(own, {"depth_scan.bin": maps(2, shift=21)}, subject=ada["id"], label="before")
        other = sent_by_tus(own, {"a.bin": b"1"})
        assert get(own, scan)["subject_name"] == "Ada L."
        assert own.request("GET", "/v1/subjects/" + ada["id"]).json["scans"] == 1
        def scans(query):
            reply = expect(own.request("GET", "/v1/scans" + query), 200).json
            conforms("ScanList", reply)
            return [item["id"] for item in reply["scans"]], reply["total"], reply.get("next")
        assert scans("?subject=" + ada["id"]) == ([scan], 1, None) and scans("?label=before")[0] == [scan]
        assert scans("?q=ada")[0] == [scan] and scans("?q=_")[0] == [] and scans("?day=" + day)[1] == 2
        assert scans("?day=2001-01-01")[1] == 0 and scans("?status=uploading")[1] == 2 and scans("?status=done")[1] == 0
        first, total, cursor = scans("?limit=1")
        assert first == [other] and total == 2 and scans("?limit=1&after=" + cursor) == ([scan], 2, None)
        for wrong in ("?limit=0", "?limit=x", "?after=x", "?day=x", "?status=x", "?subject=x", "?q=%00", "?label=%00", "?after=1.%00"):
            expect(own.request("GET", "/v1/scans" + wrong), 422, "bad-value")
        reply = expect(own.request("PATCH", "/v1/scans/" + other, {"subject": ada["id"], "label": "after"}), 200).json
        assert reply["subject"] == ada["id"] and reply["label"] == "after"
        reply = expect(own.request("PATCH", "/v1/scans/" + other, {"subject": ""}), 200).json
        assert "subject" not in reply and reply["label"] == "after"
        expect(own.request("PATCH", "/v1/scans/" + other, {"subject": "sub_" + "x" * 32}), 422, "bad-value")
        reply = expect(own.request("PATCH", "/v1/subjects/" + ben["id"], {"due": "", "note": "x"}), 200).json
        assert "due" not in reply and reply["note"] == "x" and reply["name"] == "Ben 100%"
        expect(own.request("POST", f"/v1/scans/{scan}/submit"), 202)
        settled(own, scan)
        whole = zipfile.ZipFile(io.BytesIO(expect(own.request("GET", f"/v1/subjects/{ada['id']}/export"), 200).body))
        assert whole.testzip() is None and json.loads(whole.read("subject.json"))["name"] == "Ada L."
        assert whole.read(f"{scan}/files/depth_scan.bin") == maps(2, shift=21)
        single = zipfile.ZipFile(io.BytesIO(expect(own.request("GET", f"/v1/scans/{scan}/export"), 200).body))
        assert single.testzip() is None and json.loads(single.read("scan.json"))["id"] == scan
        assert expect(own.request("DELETE", "/v1/subjects/" + ada["id"]), 200).json == {"scans": 1}
        expect(own.request("GET", "/v1/subjects/" + ada["id"]), 404, "not-found")
        expect(own.request("GET", "/v1/scans/" + scan), 404, "not-found")
        expect(own.request("DELETE", "/v1/scans/" + other), 204)
        assert files_on_disk(own) == []
    finally:
        own.clean()


@test
def keys_see_their_own_world_only(server):
    own = Server(server.binary, arguments=["--no-demo", "--scan-megabytes", "1"], sees=False)
    try:
        made = subprocess.run([own.binary, "keys", "add", "api", "--sandbox", "--data", own.data], capture_output=True, text=True)
        trial = next((word for word in made.stdout.split() if word.startswith("mientest_")), None)
        assert trial, made
        for path in ("/v1/scans", "/v1/subjects", "/v1/scans/scn_" + "x" * 32):
            expect(own.request("GET", path), 401, "unauthorised")
            expect(own.request("GET", path, token="mien_wrong"), 401, "unauthorised")
        post(own, {"depth_scan": b"x"}, 401, "unauthorised")
        live = sent_by_tus(own, {"depth_scan.bin": b"12"}, key=own.key)
        upload = create(own, [{"name": "a", "bytes": 5}], key=own.key)["files"][0]["upload"]
        sandbox = sent_by_tus(own, {"depth_scan.bin": b"12"}, key=trial)
        assert sandbox.startswith("scntest_") and live.startswith("scn_")
        for scan, key in ((live, trial), (sandbox, own.key)):
            for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/submit"), ("GET", "/files/depth_scan.bin"), ("GET", "/export")):
                expect(own.request(method, f"/v1/scans/{scan}{path}", token=key), 404, "not-found")
        patch(own, upload, 0, b"12345", 404, "not-found", key=trial)
        assert [item["id"] for item in own.request("GET", "/v1/scans", token=trial).json["scans"]] == [sandbox]
        create(own, [{"name": "a", "bytes": 1 << 20}, {"name": "b", "bytes": 1}], 413, "body-too-large", key=own.key)
        post(own, {"depth_scan": bytes((1 << 20) + 1)}, 413, "body-too-large", key=own.key)
        # Files of both realms survive a restart.
        own.kill()
        own.start()
        for scan, key in ((live, own.key), (sandbox, trial)):
            assert own.request("GET", f"/v1/scans/{scan}/files/depth_scan.bin", token=key).body == b"12"
    finally:
        own.clean()


@test
def a_check_s_token_sends_one_scan(server):
    own = Server(server.binary, arguments=["--no-demo"], sees=False)
    try:
        check, other, third, plain = *(own.create(scan=True) for _ in range(3)), own.create()
        files = [{"name": "depth_scan.bin", "bytes": 5}]
        create(own, files, 401, "unauthorised")
        # A check created without a scan permits none, and one with a scan no large one.
        create(own, files, 403, "scan-not-allowed", key=plain.token)
        post(own, {"depth_scan": b"by form"}, 403, "scan-not-allowed", key=plain.token)
        create(own, [{"name": "depth_scan.bin", "bytes": (200 << 20) + 1}], 413, "body-too-large", key=check.token)
        create(own, files, 422, "bad-value", key=check.token, subject="sub_" + "x" * 32)
        scan = create(own, files, key=check.token)
        upload, path = scan["files"][0]["upload"], "/v1/scans/" + scan["id"]
        assert create(own, files, 200, key=check.token, headers={"Idempotency-Key": "another"})["id"] == scan["id"]
        head_, claims, signature = check.token.split(".")
        forged = [f"{head_}.{claims}.{signature[:-4]}AAAA", f"{head_}.{other.token.split('.')[1]}.{signature}", "a.b.c", "."]
        for token in forged:
            create(own, files, 401, "unauthorised", key=token)
            patch(own, upload, 0, b"12345", 401, "unauthorised", key=token)
        own_scan = create(own, files, key=other.token)["id"]
        for method, address in (("GET", path), ("POST", path + "/submit")):
            expect(own.request(method, address, token=other.token), 404, "not-found")
        patch(own, upload, 0, b"12345", 404, "not-found", key=other.token)
        assert own.request("HEAD", upload, headers=TUS, token=other.token).status == 404
        expect(own.request("DELETE", upload, headers=TUS, token=other.token), 404, "not-found")
        said = {scan: base64.b64encode(scan.encode()).decode() for scan in (scan["id"], own_scan)}
        for id, status in ((scan["id"], 404), (own_scan, 201)):
            told = {**TUS, "Upload-Length": "3", "Upload-Metadata": f"scan {said[id]},name bmV3"}
            expect(own.request("POST", "/v1/uploads", b"", told, other.token), status)
        patch(own, upload, 0, b"12345", key=check.token)
        assert int(head(own, upload, key=check.token).headers["upload-offset"]) == 5
        # The token gives no other access: no list, no file, no change, and no second scan by form.
        for method, address in (("GET", "/v1/scans"), ("GET", "/v1/subjects"), ("GET", path + "/files/depth_scan.bin"),
                                ("GET", path + "/export"), ("DELETE", path), ("PATCH", path), ("POST", path + "/cancel")):
            reply = own.request(method, address, {} if method == "PATCH" else None, token=check.token)
            expect(reply, 401, "unauthorised")
        before = files_on_disk(own)
        post(own, {"depth_scan": b"another"}, 409, "wrong-state", key=check.token)
        gone(own, before)
        expect(own.request("POST", path + "/submit", token=check.token), 202)
        assert settled(own, scan["id"], key=check.token)["status"] == "failed", "five bytes are no scan"
        assert get(own, scan["id"], key=own.key)["id"] == scan["id"], "the key's holder sees it"
        sent = post(own, {"depth_scan": b"by form"}, key=third.token)
        post(own, {"depth_scan": b"by form again"}, 409, "wrong-state", key=third.token)
        assert get(own, sent, key=third.token)["id"] == sent
    finally:
        own.clean()


@test
def who_is_told_what_was_found_is_written_down_whatever_they_asked(server):
    own = Server(server.binary, arguments=["--no-demo"], sees=False)
    try:
        def reader():
            made = expect(own.request("POST", "/v1/keys", {"scopes": ["scans"]}, token=own.key), 201).json
            return made["key"], made["id"]
        def readers(scan, key=own.key):
            told = expect(own.request("GET", f"/v1/audit?about=scan/{scan}", token=key), 200).json["entries"]
            return [one["actor"] for one in told if one["action"] == "saw-scan"]
        sender, sender_name = reader()
        owner = "key_" + hashlib.sha256(own.key.encode()).hexdigest()[:16]
        sent, again = parts(4, shift=31), {"Idempotency-Key": "phone-7"}
        files = {"depth_scan.bin": sent["depth_scan"], "metadata.json": sent["metadata"]}
        scan = sent_by_tus(own, files, key=sender, headers=again)
        path = f"/v1/scans/{scan}"
        # Polling an unfinished scan is not audited, nor is reading a failed one.
        assert get(own, scan, sender)["status"] == "uploading"
        expect(own.request("PATCH", path, {"label": "before"}, token=sender), 200)
        assert expect(own.request("POST", path + "/submit", token=sender), 202).json["status"] != "done"
        empty = post(own, {"depth_scan": b"five!"}, key=sender)
        assert settled(own, empty, sender)["status"] == "failed" and readers(empty) == []
        assert readers(scan) == []
        done(own, scan, key=own.key)
        assert readers(scan) == [owner], "once, however often it was looked for"

        announced = {"files": [{"name": name, "bytes": len(body)} for name, body in files.items()]}
        seen = [owner]
        for method, address, body, headers, who in (
            ("GET", path, None, None, reader()), ("PATCH", path, {}, None, reader()), ("POST", path + "/submit", None, None, reader()),
            ("POST", "/v1/scans", announced, again, (sender, sender_name)),
        ):
            for _ in range(2):
                reply = own.request(method, address, body, headers, who[0])
                assert reply.status in (200, 202) and reply.json["id"] == scan and reply.json["report"], (method, address, reply)
            # Reading its files belongs to the same audit entry.
            expect(own.request("GET", path + "/results/report.json", token=who[0]), 200)
            seen.append(who[1])
            assert readers(scan) == seen, (method, address, readers(scan))
        other, _ = reader()
        expect(own.request("HEAD", path, token=other), 200)
        expect(own.request("GET", "/v1/scans", token=other), 200)
        assert readers(scan) == seen, "neither a head nor a list has findings"

        # If the audit entry cannot be written, the scan is not returned.
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite"), timeout=30) as db:
            db.execute("CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'full'); END")
        for method, address, body in (("GET", path, None), ("PATCH", path, {}), ("POST", path + "/submit", None)):
            reply = own.request(method, address, body, token=other)
            assert reply.status >= 500 and b"report" not in reply.body, (method, address, reply)
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite"), timeout=30) as db:
            db.execute("DROP TRIGGER full")
        expect(own.request("GET", path, token=other), 200)
    finally:
        own.clean()


@test
def what_a_check_s_token_stores_has_a_limit_of_its_own(server):
    own = Server(server.binary, arguments=["--no-demo", "--check-scan-megabytes", "1"], sees=False)
    try:
        check, form = own.create(scan=True), own.create(scan=True)
        before = files_on_disk(own)
        create(own, [{"name": "a", "bytes": 1 << 20}, {"name": "b", "bytes": 1}], 413, "body-too-large", key=check.token)
        post(own, {"depth_scan": bytes(1 << 20), "image1": bytes(9)}, 413, "body-too-large", key=form.token)
        gone(own, before)
        scan = create(own, [{"name": "a", "bytes": 1 << 20}], key=check.token)
        more = {**TUS, "Upload-Length": "1", "Upload-Metadata": f"scan {base64.b64encode(scan['id'].encode()).decode()},name bmV3"}
        expect(own.request("POST", "/v1/uploads", b"", more, check.token), 413, "body-too-large")
        create(own, [{"name": "a", "bytes": 2 << 20}], key=own.key)
    finally:
        own.clean()


@test
def a_check_that_reads_its_scan_s_report_is_written_down_in_its_own_world(server):
    own = Server(server.binary, arguments=["--no-demo"], sees=False)
    try:
        made = subprocess.run([own.binary, "keys", "add", "api", "--sandbox", "--data", own.data], capture_output=True, text=True)
        trial = next((word for word in made.stdout.split() if word.startswith("mientest_")), None)
        assert trial, made
        for key, other, shift in ((own.key, trial, 32), (trial, own.key, 33)):
            check = expect(own.request("POST", "/v1/checks", {"scan": True}, token=key), 201).json
            scan = post(own, parts(4, shift=shift), key=check["token"])
            done(own, scan, key=check["token"])
            expect(own.request("POST", f"/v1/scans/{scan}/submit", token=check["token"]), 202)
            create(own, [{"name": "depth_scan.bin", "bytes": 5}], 200, key=check["token"])
            def entries(about, whose):
                return [one["action"] for one in expect(
                    own.request("GET", f"/v1/audit?about={about}", token=whose), 200).json["entries"]]
            for about in (f"scan/{scan}", f"check/{check['id']}"):
                assert entries(about, key) == ["saw-scan"] and entries(about, other) == [], about
    finally:
        own.clean()


@test
def an_expired_token_ends_what_it_has_begun(server):
    own = Server(server.binary, arguments=["--no-demo", "--lifetime", "10"], sees=False)
    try:
        check, late = own.create(scan=True), own.create(scan=True)
        files = [{"name": "a.bin", "bytes": 5}]
        scan = create(own, files, key=check.token)
        deadline = time.monotonic() + 60
        while (reply := own.request("POST", "/v1/scans", {"files": files}, token=check.token)).status == 200:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        expect(reply, 401, "token-expired")
        create(own, files, 401, "token-expired", key=late.token)
        patch(own, scan["files"][0]["upload"], 0, b"12345", key=check.token)
        expect(own.request("POST", f"/v1/scans/{scan['id']}/submit", token=check.token), 202)
    finally:
        own.clean()


@test
def a_phone_s_own_folder_becomes_a_surface(server):
    """Uses the chair of the shared data, shortened: a real scan with its poses."""
    shared = footage.shared()
    chair = pathlib.Path(shared) / "data" / "lidar" / "3dscannerapp_chair" if shared else None
    if chair is None or not chair.is_dir():
        raise Skip("shared/data not found")
    names = sorted(path.name for path in chair.iterdir() if path.is_file())
    wanted = [name for name in names if name == "info.json" or any(f"_{number:05}." in name for number in range(12))]
    files = {name: (chair / name).read_bytes() for name in wanted}
    scan = sent_by_tus(server, files, kind="object")
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 202)
    found = done(server, scan)
    assert found["depth"]["format"] == "3D Scanner App" and found["surface"]["triangles"] > 1000, found
    assert found["surface"]["frames_lost"] == 0 and found["photos"] == [] and found["kind"] == "object"


@test
def a_scan_of_more_files_than_a_server_may_have_open_is_worked_on(server):
    import cv2

    own = Server(server.binary, sees=False)
    try:
        resource.prlimit(own.process.pid, resource.RLIMIT_NOFILE, (150, 150))
        depth = cv2.imencode(".png", numpy.full((48, 64), 700, "<u2"))[1].tobytes()
        files = {}
        for number in range(100):
            files[f"depth_{number:05}.png"] = depth
            files[f"frame_{number:05}.json"] = json.dumps({
                "cameraPoseARFrame": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], "time": number / 30,
                "intrinsics": [1440, 0, 959.5, 0, 1440, 719.5, 0, 0, 1]}).encode()
        scan = sent_by_tus(own, files, kind="object")
        expect(own.request("POST", f"/v1/scans/{scan}/submit"), 202)
        assert done(own, scan)["depth"]["frames"] == 100
    finally:
        own.clean()


if __name__ == "__main__":
    main(TESTS)
