"""Captures over the API: posting, waiting for their analysis, and what the server has stored of them."""

import os
import pathlib
import sqlite3
import time

from support.capture_files import BOUNDARY, form, pairs
from support.replies import conforms, expect

LINES = ["integrity", "signer", "device", "app", "scene", "claims", "time", "place"]


def post(server, parts, status=201, key=None, body=None, boundary=BOUNDARY, content_type=None):
    body = form(pairs(parts) if isinstance(parts, dict) else parts) if body is None else body
    kind = content_type or f'multipart/form-data; boundary="{boundary}"'
    reply = server.request("POST", "/v1/captures", body, {"Content-Type": kind}, key)
    expect(reply, status)
    if status == 201:
        conforms("Capture", reply.json)
        assert reply.headers["location"] == "/v1/captures/" + reply.json["id"]
        assert reply.json["receipt"].startswith("rcp_") and [x["name"] for x in reply.json["summary"]] == LINES
    return reply.json


def await_analysis(server, capture, seconds=240):
    """Returns the capture once it has been analyzed."""
    deadline = time.monotonic() + seconds
    while True:
        reply = expect(server.request("GET", "/v1/captures/" + capture["id"]), 200).json
        conforms("Capture", reply)
        assert "receipt" not in reply
        if reply["state"] != "queued":
            return reply
        assert time.monotonic() < deadline, reply
        time.sleep(0.05)


def lines(reply):
    return {line["name"]: (line["status"], line["reasons"]) for line in reply["summary"]}


def files(server):
    """Returns the files in the blob directory, including drafts."""
    root = pathlib.Path(server.data) / "blobs"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def rows(server):
    with sqlite3.connect(os.path.join(server.data, "mien.sqlite"), timeout=20) as db:
        return db.execute("SELECT count(*) FROM capture").fetchone()[0]


def check_nothing_stored(server, act):
    before = files(server), rows(server)
    act()
    deadline = time.monotonic() + 5
    while (files(server), rows(server)) != before:
        assert time.monotonic() < deadline, (set(before[0]) ^ set(files(server)), before[1], rows(server))
        time.sleep(0.05)


def checks(capture):
    return {check["check"]: check for check in capture["results"]["checks"]}


def verify(server, data, status=200):
    reply = server.request("POST", "/v1/verify-file", data, {"Content-Type": "application/octet-stream"})
    conforms("VerifiedFile" if status == 200 else "Problem", expect(reply, status).json)
    return reply.json
