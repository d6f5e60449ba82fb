"""Tests of the audit log."""

import base64
import contextlib
import hashlib
import json
import pathlib
import re
import sqlite3

import pytest

from support.replies import conforms, expect
from support.serving import new_key, serving, tool, wait

pytestmark = pytest.mark.without_models


def test_reads_and_deletions_are_recorded_in_a_tamper_evident_log(server):
    with serving(server) as own:
        key = "key_" + hashlib.sha256(own.key.encode()).hexdigest()[:16]
        first, second = own.create(), own.create(person="anna")
        for number in range(3):
            own.create(person=f"person-{number}")
            expect(own.request("DELETE", f"/v1/people/person-{number}", token=own.key), 204)
        expect(own.request("DELETE", f"/v1/checks/{first.id}", token=own.key), 204)
        expect(own.request("DELETE", f"/v1/checks/{second.id}", token="mien_wrong"), 401)
        expect(own.request("DELETE", f"/v1/checks/{second.id}"), 401)
        made = expect(own.request("POST", "/v1/keys", {}, token=own.key), 201).json
        expect(own.request("DELETE", f"/v1/keys/{made['id']}", token=own.key), 204)

        log = expect(own.request("GET", "/v1/audit", token=own.key), 200).json
        conforms("AuditLog", log)
        reported = [(one["number"], one["actor"], one["action"]) for one in log["entries"]]
        assert reported == [
            (1, key, "deleted-person"), (2, key, "deleted-person"), (3, key, "deleted-person"), (4, key, "deleted-check"),
            (5, key, "created-key"), (6, key, "revoked-key"),
        ], reported
        assert [one["subject"] for one in log["entries"][4:]] == [made["id"]] * 2
        # Subjects are stored as hashes: entries can only be found by a known ID.
        assert all(re.fullmatch(r"(person|check)/[0-9a-f]{32}", one["subject"]) for one in log["entries"][:4]), log
        for about, number in (("person/person-1", 2), (f"check/{first.id}", 4), ("person/nobody", None)):
            found = expect(own.request("GET", f"/v1/audit?about={about}", token=own.key), 200).json["entries"]
            assert [one["number"] for one in found] == ([number] if number else []), (about, found)
        expect(own.request("GET", "/v1/audit?about=", token=own.key), 422, "bad-value")
        assert [one["number"] for one in own.request("GET", "/v1/audit?after=4", token=own.key).json["entries"]] == [5, 6]
        expect(own.request("GET", "/v1/audit?after=x", token=own.key), 422, "bad-value")
        shown = tool(own, "audit", "show", "--check", first.id).splitlines()
        assert len(shown) == 1 and "deleted-check  check/" in shown[0] and first.id not in shown[0], shown
        assert "deleted-person" in tool(own, "audit", "show", "--person", "person-2")
        assert tool(own, "audit", "show", "--person", "nobody") == ""
        whole = tool(own, "audit", "verify")
        head = re.search(r"6 entries, every link holds. Head: (6:[0-9a-f]{64})", whole).group(1)
        assert own.stop() == 0

        path = pathlib.Path(own.data, "mien.sqlite")
        database = sqlite3.connect(path)
        for change in ("UPDATE audit SET actor = 'nobody' WHERE number = 2", "DELETE FROM audit WHERE number = 2"):
            try:
                database.execute(change)
                raise AssertionError("the database itself must refuse")
            except sqlite3.IntegrityError as refusal:
                assert "append-only" in str(refusal)
        database.executescript("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_erased; PRAGMA wal_checkpoint(TRUNCATE);")
        database.close()
        untouched = path.read_bytes()
        database = sqlite3.connect(path)
        for change, number in (
            ("UPDATE audit SET actor = 'nobody' WHERE number = 2", 2), ("UPDATE audit SET at_ms = 0 WHERE number = 5", 5),
            ("DELETE FROM audit WHERE number = 3", 3), ("DELETE FROM audit WHERE number = 1", 1),
            ("UPDATE audit SET subject = 'x', link = zeroblob(32) WHERE number = 6", 6),
            ("UPDATE audit SET number = number + 10 WHERE number = 6", 6),
        ):
            database.execute(change)
            database.commit()
            assert f"entry {number} does not hold" in tool(own, "audit", "verify", status=1), change
            database.close()
            for rest in pathlib.Path(own.data).glob("mien.sqlite-*"):
                rest.unlink()
            path.write_bytes(untouched)
            database = sqlite3.connect(path)
        tool(own, "audit", "verify", "--expect", head)
        database.execute("DELETE FROM audit WHERE number = 6")
        database.commit()
        database.close()
        assert "5 entries" in tool(own, "audit", "verify"), "what is cut off at the end leaves a whole chain"
        assert "is not the one that was noted" in tool(own, "audit", "verify", "--expect", head, status=1)


def test_results_are_returned_unchanged_and_to_authorized_readers_only(server):
    """Complete replies are cached; a cached reply is never sent after its record was changed or deleted, even by another server."""
    with serving(server, "--lifetime", "1") as own:
        checks = [own.create(person=f"person-{number}") for number in range(3)]

        def read(check=checks[0], key=own.key):
            return own.request("GET", f"/v1/checks/{check.id}", token=key)

        def claims(reply):
            part = reply.json["signed"].split(".")[1]
            return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))

        for check in checks:
            wait("the verdict", lambda: read(check).json["state"] != "open")
        first = expect(read(), 200)
        conforms("Result", first.json)
        assert [read().body for _ in range(5)] == [first.body] * 5, "made and signed once"
        # Cached replies have the same headers, a request ID of their own or the one received, and count in the metrics.
        def headers(reply):
            return {name: value for name, value in reply.headers.items() if name not in ("date", "x-request-id")}

        def count():
            text = own.request("GET", "/metrics").body.decode()
            return int(re.search(r'method="GET",route="/v1/checks/[:{]id}?",status="2xx"} (\d+)', text).group(1))

        before, again = count(), [read() for _ in range(3)]
        assert all(headers(reply) == headers(first) and reply.headers["date"].endswith(" GMT") for reply in again), again[0].headers
        assert len({reply.headers["x-request-id"] for reply in [first, *again]}) == 4
        named = own.request("GET", f"/v1/checks/{checks[0].id}", token=own.key, headers={"X-Request-ID": "proxy-1"})
        assert named.headers["x-request-id"] == "proxy-1" and named.body == first.body
        assert count() == before + 4
        assert read(checks[1]).json["person"] == "person-1" and claims(read(checks[1]))["sub"] == checks[1].id

        # A cached reply is not sent to unauthorized callers, nor after a key was revoked.
        expect(read(key=None), 401, "unauthorized")
        expect(read(key="mien_" + "A" * 43), 401, "unauthorized")
        expect(read(key=checks[0].token), 401, "unauthorized")
        expect(read(key=new_key(own, "--scope", "captures")), 403, "forbidden")
        expect(read(key=new_key(own, "--sandbox")), 404, "not-found")
        guest = expect(own.request("POST", "/v1/keys", {"scopes": ["read"]}, token=own.key), 201).json
        assert expect(read(key=guest["key"]), 200).body == first.body
        expect(own.request("DELETE", f"/v1/keys/{guest['id']}", token=own.key), 204)
        expect(read(key=guest["key"]), 401, "unauthorized")

        # Another server on the same database changes it, and reverts the change.
        with contextlib.closing(sqlite3.connect(pathlib.Path(own.data, "mien.sqlite"), timeout=30)) as database:
            def change(statement):
                with database:
                    database.execute(statement, (checks[0].id,))

            database.execute("PRAGMA foreign_keys = ON")
            change("UPDATE verdict SET reason = 'changed' WHERE check_id = ?")
            changed = expect(read(), 200)
            assert changed.json["reason"] == claims(changed)["reason"] == "changed", changed
            change("UPDATE liveness_check SET reference = 'also changed' WHERE id = ?")
            assert claims(read())["reference"] == read().json["reference"] == "also changed"
            change("UPDATE verdict SET reason = 'expired' WHERE check_id = ?")
            change("UPDATE liveness_check SET reference = NULL WHERE id = ?")
            again = read().json
            assert {**again, "signed": None} == {**first.json, "signed": None}, "as it was, signed anew"

            # Deleted by another server, by the check's ID, and with its person.
            change("DELETE FROM liveness_check WHERE id = ?")
            expect(read(), 404, "not-found")
        expect(own.request("DELETE", f"/v1/checks/{checks[1].id}", token=own.key), 204)
        expect(read(checks[1]), 404, "not-found")
        expect(read(checks[2]), 200)
        expect(own.request("DELETE", "/v1/people/person-2", token=own.key), 204)
        expect(read(checks[2]), 404, "not-found")
