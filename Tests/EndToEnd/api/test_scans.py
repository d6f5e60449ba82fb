"""Tests of scans: surfaces, unreadable recordings, hostile archives, and real recordings."""

import hashlib
import io
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import zipfile

import numpy
import pytest

from support import footage
from support.capture_files import photo
from support.replies import expect
from support.scans import (
    HEIGHT, RESULTS, WIDTH, done, failed, files_on_disk, gone, maps, metadata, parts, post, sent_by_tus, settled)
from support.server import Server


def test_form_upload_of_the_app_becomes_a_measured_surface(server):
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
    assert found["surface"]["triangles"] > 1000 and 250 < found["surface"]["size_millimeters"][0] < 1500, found["surface"]
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


def test_bundle_equals_the_one_of_the_command_line(server):
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


def test_depth_maps_of_unspecified_type_are_read_if_unambiguous(server):
    for kind, name in (("<u2", "u16"), ("<f4", "f32"), ("<f2", "f16")):
        found = done(server, post(server, parts(4, kind, shift=3)))
        assert f"256×192 {name}" in " ".join(found["notes"]), found["notes"]
        said = {remark["code"]: remark for remark in found["remarks"]}
        assert said["note.read-as"]["values"] == {"layout": f"256×192 {name}"}, said
        assert [remark["text"] for remark in found["remarks"]] == found["notes"], found
        for item in found["report"]["items"]:
            assert item["remarks"] and item["text"] == " ".join(each["text"] for each in item["remarks"]), item


def test_unreadable_scans_fail_with_advice(server):
    depth = maps(4, shift=5)
    plain = {"depth_scan": depth}
    failed(server, post(server, plain), "refused", "256×192 u16", "depth_format")
    cases = [
        ("refused", metadata(4, len(depth) + 2), ["announces"]),
        ("refused", metadata(10**9, len(depth)), ["1000000000"]),
        ("refused", metadata(0, len(depth)), ["0 frames"]),
        ("refused", metadata(287, len(depth)), ["fits"]),
        ("refused", metadata(4, None, depth_format={"width": 100, "height": 100, "pixel": "uint16_mm"}), ["do not fit"]),
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


def test_hostile_archives_and_bundles_fail_without_side_effects(server):
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


def test_invalid_forms_are_rejected_completely(server):
    before = files_on_disk(server)
    good = parts(1, shift=9)
    post(server, [("image1", b"no picture")], 422, "not-an-image")
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


def test_folder_recorded_by_a_phone_becomes_a_surface(server):
    """Uses the chair of the shared data, shortened: a real scan with its poses."""
    shared = footage.shared()
    chair = pathlib.Path(shared) / "data" / "lidar" / "3dscannerapp_chair" if shared else None
    if chair is None or not chair.is_dir():
        pytest.skip("shared/data not found")
    names = sorted(path.name for path in chair.iterdir() if path.is_file())
    wanted = [name for name in names if name == "info.json" or any(f"_{number:05}." in name for number in range(12))]
    files = {name: (chair / name).read_bytes() for name in wanted}
    scan = sent_by_tus(server, files, kind="object")
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 202)
    found = done(server, scan)
    assert found["depth"]["format"] == "3D Scanner App" and found["surface"]["triangles"] > 1000, found
    assert found["surface"]["frames_lost"] == 0 and found["surface"]["pieces"] == 1 and found["photos"] == [] and found["kind"] == "object"
    assert found["grade"] in ("pass", "warn"), "there is a surface, so that it is usable"
    coverage = next(item for item in found["report"]["items"] if item["name"] == "coverage")
    assert {remark["code"] for remark in coverage["remarks"]} <= {"coverage.around", "coverage.partly-around", "coverage.top"}
    subject = found["surface"]["subject_millimeters"]
    assert 100 < subject["radius"] < 2000 and len(subject["center"]) == 3
    picture = expect(server.request("GET", found["thumbnail"], token=server.key), 200)
    assert picture.headers["content-type"] == "image/jpeg" and picture.body.startswith(b"\xff\xd8") and len(picture.body) < 20_000
    listed = expect(server.request("GET", "/v1/scans?limit=200", token=server.key), 200).json["scans"]
    assert next(each for each in listed if each["id"] == scan)["thumbnail"] == found["thumbnail"]


def test_room_is_judged_as_a_room(server):
    depth = maps(6)
    scan = sent_by_tus(server, {"depth_scan.bin": depth, "metadata.json": metadata(6, len(depth), photo_count=1)}, kind="room")
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 202)
    found = done(server, scan)
    assert found["kind"] == "room" and "subject_millimeters" not in found["surface"]
    items = {item["name"] for item in found["report"]["items"]}
    assert not {name for name in items if name.startswith("photo-")}, "no face is expected"
    assert not [remark for remark in found["remarks"] if remark["code"] == "note.photos-not-three"]
    reply = server.request("POST", "/v1/scans", {"kind": "house", "files": [{"name": "a.r3d", "bytes": 9}]}, token=server.key)
    expect(reply, 422, "bad-value")


def test_processes_a_scan_of_more_files_than_descriptors(server):
    import cv2

    own = Server(server.binary, loads_models=False)
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
