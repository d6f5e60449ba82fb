"""Tests of the API with files in an object store: storing, reading, deleting, crashes, and faults of the store."""

import hashlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import pytest

from support import captures, encryption, s3_peer, scans
from support.capture_files import BOUNDARY, all_parts, form, pairs, photo, planes
from support.checks import keys
from support.object_store import BUCKET, MARKER_KEYS, BucketServer, environment_with, on_disk, unavailable
from support.replies import expect
from support.server import Server

pytestmark = [pytest.mark.s3, pytest.mark.without_models]


@pytest.fixture(scope="module")
def server(binary, s3):
    server = BucketServer(binary)
    yield server
    server.clean()


def await_empty(server, seconds=240):
    """Waits until only the installation's marker is left."""
    deadline = time.monotonic() + seconds
    while server.stored_keys() != [MARKER_KEYS, []]:
        assert time.monotonic() < deadline, server.stored_keys()
        time.sleep(0.1)


def test_captures_are_stored_in_and_deleted_from_the_bucket(server):
    parts = {**all_parts(70), "burst": planes(24, width=640, height=480)}
    taken = captures.post(server, parts)
    seen = captures.await_analysis(server, taken)
    for name in ("photo", "depth_map"):
        assert expect(server.request("GET", f"/v1/captures/{taken['id']}/parts/{name}"), 200).body == parts[name]
    for number, frame in enumerate(parts["burst"]):
        assert expect(server.request("GET", f"/v1/captures/{taken['id']}/parts/burst/{number}"), 200).body == frame
    assert seen["results"]["burst"]["frames"] == 24
    keys, uploads = server.stored_keys()
    assert len(keys) == 4 and not uploads and not on_disk(server), keys
    for key in keys:
        bytes_ = server.peer.ask("GET", f"/{BUCKET}/{server.folder}/live/{key}")
        assert bytes_.startswith(b"MIENBLOB1") and b"IHDR" not in bytes_ and b"JFIF" not in bytes_, "the store contains ciphertext only"
    expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=taken["receipt"]), 204)
    await_empty(server)


def test_key_rotation_rewraps_the_keys_of_objects(server):
    own = BucketServer(server.binary)
    try:
        picture, sent = photo(71), scans.parts(57, shift=20)
        files = {"depth_scan.bin": sent["depth_scan"], "metadata.json": sent["metadata"]}
        assert len(files["depth_scan.bin"]) > 5 << 20, "large enough to be two pieces"
        taken, scan = captures.post(own, {"photo": picture}), scans.sent_by_tus(own, files)
        captures.await_analysis(own, taken)
        own.stop()
        old = encryption.read_keyring(own)

        def objects():
            return {key: own.peer.ask("GET", f"/{BUCKET}/{own.folder}/live/{key}") for key in own.stored_keys()[0]}

        before = objects()
        assert len(before) == 5, list(before)
        blind = subprocess.run([own.binary, "keys", "rotate-master-key", "--data", own.data], capture_output=True, text=True)
        assert blind.returncode == 2 and "Name it with --blobs" in blind.stderr and encryption.read_keyring(own) == old, blind
        assert "and 5 files are encrypted" in encryption.rotate(own)
        after = objects()
        assert list(after) == list(before) and not own.stored_keys()[1]
        for key, bytes_ in after.items():
            assert bytes_[72:] == before[key][72:] and bytes_[12:72] != before[key][12:72], f"{key}: only its key is wrapped anew"
        own.start()
        assert expect(own.request("GET", taken["photo"]["url"]), 200).body == picture
        assert expect(own.request("GET", f"/v1/scans/{scan}/files/depth_scan.bin"), 200).body == files["depth_scan.bin"]
    finally:
        own.clean()


def test_scans_are_stored_in_and_deleted_from_the_bucket(server):
    sent = scans.parts(56, shift=20)
    files = {"depth_scan.bin": sent["depth_scan"], "metadata.json": sent["metadata"]}
    assert len(files["depth_scan.bin"]) > 5 << 20, "large enough to be two pieces"
    server.peer.take_requests()
    scan = scans.sent_by_tus(server, files)
    asked = [method for method, path, _, status in server.peer.take_requests() if status == 200]
    assert asked.count("PUT") == 3 and asked.count("GET") <= 3, ("written once, and not read again", asked)
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 202)
    found = scans.done(server, scan)
    assert scans.RESULTS - {"model.usdz"} <= {result["name"] for result in found["results"]}
    for result in found["results"]:
        body = expect(server.request("GET", result["url"]), 200).body
        assert len(body) == result["bytes"] and hashlib.sha256(body).hexdigest() == result["sha256"]
    place = f"/v1/scans/{scan}/files/depth_scan.bin"
    part = expect(server.request("GET", place, headers={"Range": "bytes=5400000-5400099"}), 206)
    assert part.body == files["depth_scan.bin"][5_400_000:5_400_100]
    assert not on_disk(server)
    expect(server.request("DELETE", f"/v1/scans/{scan}"), 204)
    await_empty(server)


def test_sandbox_has_its_own_prefix(server):
    key = keys(server, "api", "--sandbox")["api_key"]
    taken = captures.post(server, {"photo": photo(71)}, key=key)
    assert len(server.stored_keys("sandbox")[0]) == 2 and server.stored_keys() == [MARKER_KEYS, []]
    expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=key), 204)
    assert server.stored_keys("sandbox") == [MARKER_KEYS, []]


def test_crash_during_an_upload_loses_nothing_acknowledged(server):
    own = BucketServer(server.binary)
    try:
        kept = captures.post(own, {"photo": photo(72)})
        body = form(pairs({"photo": photo(1) + bytes(14 << 20)}))
        head = (f"POST /v1/captures HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
                f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n").encode()
        with socket.create_connection(("127.0.0.1", own.port), timeout=120) as phone:
            phone.sendall(head + body[:12 << 20])
            deadline = time.monotonic() + 120
            while not own.stored_keys()[1]:
                assert time.monotonic() < deadline, "no upload was begun"
                time.sleep(0.05)
            own.kill()
        assert own.stored_keys()[1], "unfinished uploads of the killed server remain"
        own.start()
        # moto dates every upload to 2010, so this one is old enough to be aborted.
        assert own.stored_keys()[1] == [], "the next server deletes them"
        reply = expect(own.request("GET", f"/v1/captures/{kept['id']}/parts/photo"), 200)
        assert reply.body == photo(72)
    finally:
        own.clean()


def test_partial_result_is_never_visible_and_is_aborted(server):
    """A bundle with two photos is uploaded in parts, every sent file in one piece."""
    depth = scans.maps(4, shift=58)
    sent = {f"image{number}": photo(number) + bytes(3_500_000) for number in (1, 2)}
    sent |= {"depth_scan": depth, "metadata": scans.metadata(4, len(depth), depth_format={
        "width": scans.WIDTH, "height": scans.HEIGHT, "pixel": "uint16_mm"})}

    def start_scan_upload(own):
        scan, deadline = scans.post(own, sent), time.monotonic() + 120
        while not own.stored_keys()[1]:
            assert time.monotonic() < deadline, "no upload was begun"
            time.sleep(0.02)
        return scan

    def start_delayed_scan(own):
        """Starts a scan whose bundle is being uploaded; the store delays its second part."""
        own.peer.inject_fault("slow", -1, method="PUT", part="partNumber=2", seconds=30)
        scan = start_scan_upload(own)
        assert len(own.stored_keys()[0]) == len(MARKER_KEYS) + len(sent), "of the results nothing is kept yet"
        return scan

    def cancel_scan(own, scan):
        expect(own.request("POST", f"/v1/scans/{scan}/cancel"), 200)
        deadline = time.monotonic() + 120
        while own.stored_keys()[1]:
            assert time.monotonic() < deadline, "a result of a canceled scan is still being written"
            time.sleep(0.02)

    def check_results_hidden(own, scan, status):
        found = scans.get(own, scan)
        assert found["status"] in status and not found["results"] and "report" not in found, found
        for name in ("scan.mien", "model.ply", "report.json"):
            expect(own.request("GET", f"/v1/scans/{scan}/results/{name}"), 404, "not-found")

    own = BucketServer(server.binary)
    try:
        scan = start_delayed_scan(own)
        check_results_hidden(own, scan, ["working"])
        cancel_scan(own, scan)
        check_results_hidden(own, scan, ["cancelled"])
        assert len(own.stored_keys()[0]) == len(MARKER_KEYS) + len(sent), "and nothing of it was kept"
        own.peer.clear_faults()
        expect(own.request("DELETE", f"/v1/scans/{scan}"), 204)
        await_empty(own)
        # The store has begun the upload and the server does not know its ID yet.
        own.peer.inject_fault("late", 1, method="POST", part="uploads=", seconds=2)
        scan = start_scan_upload(own)
        cancel_scan(own, scan)
        expect(own.request("DELETE", f"/v1/scans/{scan}"), 204)
        await_empty(own)
        scan = start_delayed_scan(own)
        own.kill()
        assert own.stored_keys()[1], "unfinished uploads of the killed server remain"
        own.peer.clear_faults()
        own.peer.inject_fault("slow", -1, method="PUT", part="partNumber=1", seconds=2)
        # moto dates every upload to 2010, so this one is old enough to be aborted; the next one has not begun yet.
        own.peer.take_requests()
        own.start()
        aborted = [query for method, _, query, status in own.peer.take_requests()
                   if method == "DELETE" and "uploadId=" in query and status == 204]
        assert len(aborted) == 1, "the next server deletes them before it accepts requests"
        check_results_hidden(own, scan, ["queued", "working"])
        own.peer.clear_faults()
        found = scans.done(own, scan)
        keys, uploads = own.stored_keys()
        assert not uploads and len(keys) == len(MARKER_KEYS) + len(found["files"]) + len(found["results"]), (keys, uploads)
        for result in found["results"]:
            body = expect(own.request("GET", result["url"]), 200).body
            assert len(body) == result["bytes"] and hashlib.sha256(body).hexdigest() == result["sha256"]
    finally:
        own.peer.clear_faults()
        own.clean()


def test_aborted_request_leaves_nothing(server):
    body = form(pairs({"photo": photo(1) + bytes(14 << 20)}))
    head = (f"POST /v1/captures HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
            f"Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n\r\n").encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=120) as phone:
        phone.sendall(head + body[:12 << 20])
        deadline = time.monotonic() + 120
        while not server.stored_keys()[1]:
            assert time.monotonic() < deadline, "no upload was begun"
            time.sleep(0.05)
    await_empty(server)


def test_rejections_of_the_store_are_reported_and_recovered_from(server):
    taken = captures.post(server, {"photo": photo(73)})
    captures.await_analysis(server, taken)
    part = f"/v1/captures/{taken['id']}/parts/photo"
    for kind in ("refuse", "drop"):
        # A server that has read the file before may cache its metadata, but never its content.
        server.peer.inject_fault(kind, -1)
        try:
            unavailable(server.request("GET", part))
            body = form(pairs({"photo": photo(74)}))
            unavailable(server.request("POST", "/v1/captures", body, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}))
            scan = scans.create(server, [{"name": "depth_scan.bin", "bytes": 3}])
            upload = scan["files"][0]["upload"]
            reply = server.request("PATCH", upload, b"123", {"Content-Type": scans.OCTETS, "Upload-Offset": "0", **scans.TUS})
            unavailable(reply)
            assert server.request("GET", "/health/live").status == 200
        finally:
            server.peer.clear_faults()
        assert expect(server.request("GET", part), 200).body == photo(73)
        # Nothing was acknowledged; the client asks for the offset and sends the bytes again.
        assert scans.head(server, upload).headers["upload-offset"] == "0"
        scans.patch(server, upload, 0, b"123")
        assert expect(server.request("GET", f"/v1/scans/{scan['id']}/files/depth_scan.bin"), 200).body == b"123"
        expect(server.request("DELETE", f"/v1/scans/{scan['id']}"), 204)
    expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=server.key), 204)
    await_empty(server)


def test_brief_failures_of_the_store_are_invisible(server):
    for kind, seconds in (("refuse", 0), ("drop", 0), ("lose", 0), ("cut", 0), ("slow", 1)):
        server.peer.inject_fault(kind, 2, seconds=seconds)
        taken = captures.post(server, {"photo": photo(75)})
        server.peer.clear_faults()
        captures.await_analysis(server, taken)
        server.peer.inject_fault(kind, 2, method="GET", seconds=seconds)
        assert expect(server.request("GET", f"/v1/captures/{taken['id']}/parts/photo"), 200).body == photo(75), kind
        server.peer.clear_faults()
        server.peer.inject_fault(kind, 2, seconds=seconds)
        expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=server.key), 204)
        server.peer.clear_faults()
        await_empty(server)


def refused_start(server, words, status=2, data=None, environment=None, blobs=None):
    place = data or tempfile.mkdtemp(prefix="mien-api-")
    ended = subprocess.run(
        [server.binary, "serve", "--port", "0", "--data", place, *(["--blobs", blobs] if blobs else [])],
        env=environment or environment_with(), capture_output=True, text=True, timeout=300)
    said = ended.stdout + ended.stderr
    assert ended.returncode == status and words in said, (ended.returncode, said)
    assert s3_peer.SECRET not in said and "Signature=" not in said and "swordfish" not in said.split("Usage:")[0], said


def test_bucket_errors_stop_the_start_with_a_reason(server):
    at = f"endpoint=http://127.0.0.1:{server.peer.port}"
    refused_start(server, "no such bucket", blobs=f"s3://mien-nowhere/x?{at}")
    refused_start(server, "AWS_ACCESS_KEY_ID", blobs=f"s3://{BUCKET}/x?{at}",
                  environment=environment_with(AWS_ACCESS_KEY_ID="somebody"))
    refused_start(server, "AWS_SECRET_ACCESS_KEY", blobs=f"s3://{BUCKET}/x?{at}",
                  environment=environment_with(AWS_SECRET_ACCESS_KEY="swordfish2"))
    without = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    refused_start(server, "in the environment", blobs=f"s3://{BUCKET}/x?{at}", environment=without)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        refused_start(server, "cannot be reached", blobs=f"s3://{BUCKET}/x?endpoint=http://127.0.0.1:{free.getsockname()[1]}")
    for address in ("s3://u:swordfish@faces?region=x", "s3://faces?nonsense=swordfish&region=x", "swordfish"):
        refused_start(server, "--blobs takes", 64, blobs=address)
    refused_start(server, "--blobs takes", 64, environment=environment_with(MIEN_BLOBS="s3://u:swordfish@faces"))


def move_files(server, direction, address, status=0):
    ended = subprocess.run([server.binary, "move-files", "--data", server.data, direction, address], env=environment_with(),
                           capture_output=True, text=True, timeout=300)
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def test_files_move_into_the_bucket_and_back(server):
    own = Server(server.binary)
    address = f"s3://{BUCKET}/moved?endpoint=http://127.0.0.1:{server.peer.port}"
    folder = pathlib.Path(own.data)

    def check_all_readable():
        for name in ("photo", "depth_map"):
            assert expect(own.request("GET", f"/v1/captures/{taken['id']}/parts/{name}"), 200).body == parts[name]
        assert expect(own.request("GET", f"/v1/scans/{scan}/files/depth_scan.bin"), 200).body == large
    try:
        parts, large = all_parts(77), bytes(range(256)) * 24_000
        taken = captures.post(own, parts)
        captures.await_analysis(own, taken)
        scan = scans.sent_by_tus(own, {"depth_scan.bin": large})
        own.stop()
        before = {path.name: path.read_bytes() for path in on_disk(own)}
        assert len(before) == 4
        # The migration fails at the second file and is started again.
        server.peer.inject_fault("refuse", -1, method="PUT", part=sorted(before)[1])
        assert "Nothing was deleted at the source" in move_files(own, "--to", address, 2)
        server.peer.clear_faults()
        assert {path.name: path.read_bytes() for path in on_disk(own)} == before
        assert "Moved 4 files" in move_files(own, "--to", address)
        assert not on_disk(own) and (folder / "blobs.place").read_text().startswith(f"s3://{BUCKET}/moved/ at http")
        ended = subprocess.run([own.binary, "serve", "--port", "0", "--data", own.data], capture_output=True, text=True, timeout=300)
        assert ended.returncode == 2 and "in an object store, at s3" in ended.stderr, ended
        refused_start(server, "is new", data=own.data, blobs=address.replace("moved", "other"))
        own.arguments += ["--blobs", address]
        os.environ.update(AWS_ACCESS_KEY_ID=s3_peer.ACCESS, AWS_SECRET_ACCESS_KEY=s3_peer.SECRET)
        own.start()
        check_all_readable()
        backup = subprocess.run([own.binary, "backup", own.data + "-copy", "--data", own.data], capture_output=True, text=True, timeout=300)
        assert backup.returncode == 0 and f"not in it but at s3://{BUCKET}/moved" in backup.stderr, backup
        assert pathlib.Path(own.data + "-copy", "blobs.place").exists()
        own.stop()
        own.arguments = own.arguments[:-2]
        assert "Moved 4 files" in move_files(own, "--from", address)
        assert {path.name: path.read_bytes() for path in on_disk(own)} == before
        assert not [key for key in server.peer.keys(BUCKET)["keys"] if key.startswith("moved/")], "not even the mark is left"
        own.start()
        check_all_readable()
    finally:
        server.peer.clear_faults()
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            os.environ.pop(name, None)
        shutil.rmtree(own.data + "-copy", ignore_errors=True)
        own.clean()


def test_prefix_belongs_to_one_installation(server):
    refused_start(server, "another installation", blobs=server.address)
    disk = Server(server.binary)
    try:
        captures.post(disk, {"photo": photo(76)})
        disk.stop()
        refused_start(server, "would not be found", data=disk.data, blobs=server.address.replace(server.folder, "elsewhere"))
    finally:
        disk.clean()


def test_warns_of_a_versioned_bucket(server):
    server.peer.bucket("mien-versions", versioning=True)
    own = VersionedServer(server.binary)
    try:
        deadline = time.monotonic() + 120
        while not any("old versions" in line for line in own.lines):
            assert time.monotonic() < deadline, own.lines
            time.sleep(0.05)
    finally:
        own.clean()


class VersionedServer(BucketServer):
    @property
    def address(self):
        return super().address.replace(BUCKET, "mien-versions")
