"""Depth scans over the API: synthetic recordings, uploads by form and by tus, and waiting for results."""

import base64
import hashlib
import json
import pathlib
import time

import numpy

from support.capture_files import BOUNDARY, form, photo
from support.replies import conforms, expect

TUS = {"Tus-Resumable": "1.0.0"}
OCTETS = "application/offset+octet-stream"
WIDTH, HEIGHT = 256, 192
RESULTS = {"model.glb", "model.ply", "model.obj", "model.stl", "model.usdz", "cloud.ply", "preview.png", "scan.mien",
           "scan.mtl", "report.json", "thumbnail.jpg"}


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


def settled(server, scan, key=None, seconds=240):
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


def files_on_disk(server):
    root = pathlib.Path(server.data)
    return sorted(str(path.relative_to(root)) for path in (root / "blobs").rglob("*") if path.is_file())


def gone(server, before):
    deadline = time.monotonic() + 120
    while files_on_disk(server) != before:
        assert time.monotonic() < deadline, set(files_on_disk(server)) ^ set(before)
        time.sleep(0.05)
