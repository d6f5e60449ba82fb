"""Tests of access to scans: work lists, keys, check tokens, audit entries and limits."""

import base64
import hashlib
import io
import json
import os
import sqlite3
import subprocess
import time
import zipfile

from support.replies import conforms, expect
from support.scans import TUS, create, done, files_on_disk, get, gone, head, maps, parts, patch, post, sent_by_tus, settled
from support.server import Server


def test_clinics_see_and_delete_their_work_list(server):
    own = Server(server.binary, loads_models=False)
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


def test_keys_see_their_own_scans_only(server):
    own = Server(server.binary, arguments=["--no-demo", "--scan-megabytes", "1"], loads_models=False)
    try:
        made = subprocess.run([own.binary, "keys", "add", "api", "--sandbox", "--data", own.data], capture_output=True, text=True)
        trial = next((word for word in made.stdout.split() if word.startswith("mientest_")), None)
        assert trial, made
        for path in ("/v1/scans", "/v1/subjects", "/v1/scans/scn_" + "x" * 32):
            expect(own.request("GET", path), 401, "unauthorized")
            expect(own.request("GET", path, token="mien_wrong"), 401, "unauthorized")
        post(own, {"depth_scan": b"x"}, 401, "unauthorized")
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


def test_check_token_sends_one_scan(server):
    own = Server(server.binary, arguments=["--no-demo"], loads_models=False)
    try:
        check, other, third, plain = *(own.create(scan=True) for _ in range(3)), own.create()
        files = [{"name": "depth_scan.bin", "bytes": 5}]
        create(own, files, 401, "unauthorized")
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
            create(own, files, 401, "unauthorized", key=token)
            patch(own, upload, 0, b"12345", 401, "unauthorized", key=token)
        own_scan = create(own, files, key=other.token)["id"]
        for method, address in (("GET", path), ("POST", path + "/submit")):
            expect(own.request(method, address, token=other.token), 404, "not-found")
        patch(own, upload, 0, b"12345", 404, "not-found", key=other.token)
        assert own.request("HEAD", upload, headers=TUS, token=other.token).status == 404
        expect(own.request("DELETE", upload, headers=TUS, token=other.token), 404, "not-found")
        said = {scan: base64.b64encode(scan.encode()).decode() for scan in (scan["id"], own_scan)}
        for id, status in ((scan["id"], 404), (own_scan, 201)):
            reported = {**TUS, "Upload-Length": "3", "Upload-Metadata": f"scan {said[id]},name bmV3"}
            expect(own.request("POST", "/v1/uploads", b"", reported, other.token), status)
        patch(own, upload, 0, b"12345", key=check.token)
        assert int(head(own, upload, key=check.token).headers["upload-offset"]) == 5
        # The token gives no other access: no list, no file, no change, and no second scan by form.
        for method, address in (("GET", "/v1/scans"), ("GET", "/v1/subjects"), ("GET", path + "/files/depth_scan.bin"),
                                ("GET", path + "/export"), ("DELETE", path), ("PATCH", path), ("POST", path + "/cancel")):
            reply = own.request(method, address, {} if method == "PATCH" else None, token=check.token)
            expect(reply, 401, "unauthorized")
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


def test_every_response_with_findings_is_audited(server):
    own = Server(server.binary, arguments=["--no-demo"], loads_models=False)
    try:
        def new_scan_key():
            made = expect(own.request("POST", "/v1/keys", {"scopes": ["scans"]}, token=own.key), 201).json
            return made["key"], made["id"]
        def read_audit(scan, key=own.key):
            reported = expect(own.request("GET", f"/v1/audit?about=scan/{scan}", token=key), 200).json["entries"]
            return [one["actor"] for one in reported if one["action"] == "viewed-scan"]
        sender, sender_name = new_scan_key()
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
        assert settled(own, empty, sender)["status"] == "failed" and read_audit(empty) == []
        assert read_audit(scan) == []
        done(own, scan, key=own.key)
        assert read_audit(scan) == [owner], "once, however often it was looked for"

        announced = {"files": [{"name": name, "bytes": len(body)} for name, body in files.items()]}
        seen = [owner]
        for method, address, body, headers, reader in (
            ("GET", path, None, None, new_scan_key()), ("PATCH", path, {}, None, new_scan_key()),
            ("POST", path + "/submit", None, None, new_scan_key()),
            ("POST", "/v1/scans", announced, again, (sender, sender_name)),
        ):
            for _ in range(2):
                reply = own.request(method, address, body, headers, reader[0])
                assert reply.status in (200, 202) and reply.json["id"] == scan and reply.json["report"], (method, address, reply)
            # Reading its files belongs to the same audit entry.
            expect(own.request("GET", path + "/results/report.json", token=reader[0]), 200)
            seen.append(reader[1])
            assert read_audit(scan) == seen, (method, address, read_audit(scan))
        other, _ = new_scan_key()
        expect(own.request("HEAD", path, token=other), 200)
        expect(own.request("GET", "/v1/scans", token=other), 200)
        assert read_audit(scan) == seen, "neither a head nor a list has findings"

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


def test_scans_sent_with_check_tokens_have_their_own_quota(server):
    own = Server(server.binary, arguments=["--no-demo", "--check-scan-megabytes", "1"], loads_models=False)
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


def test_reading_a_report_with_a_check_token_is_audited_in_its_realm(server):
    own = Server(server.binary, arguments=["--no-demo"], loads_models=False)
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
                assert entries(about, key) == ["viewed-scan"] and entries(about, other) == [], about
    finally:
        own.clean()


def test_expired_token_ends_its_unfinished_scan(server):
    own = Server(server.binary, arguments=["--no-demo", "--lifetime", "10"], loads_models=False)
    try:
        # Created first, so that its token has expired once the other one has.
        late, check = own.create(scan=True), own.create(scan=True)
        files = [{"name": "a.bin", "bytes": 5}]
        scan = create(own, files, key=check.token)
        deadline = time.monotonic() + 120
        while (reply := own.request("POST", "/v1/scans", {"files": files}, token=check.token)).status == 200:
            assert time.monotonic() < deadline
            time.sleep(0.2)
        expect(reply, 401, "token-expired")
        create(own, files, 401, "token-expired", key=late.token)
        patch(own, scan["files"][0]["upload"], 0, b"12345", key=check.token)
        expect(own.request("POST", f"/v1/scans/{scan['id']}/submit", token=check.token), 202)
    finally:
        own.clean()
