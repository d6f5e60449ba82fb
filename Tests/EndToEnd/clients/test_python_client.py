"""Tests of the Python client against a running server, and of its retries against scripted responses."""

import asyncio
import base64
import hashlib
import io
import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from support.capture_files import photo
from support.checks import claim_turn
from support.expressions import expression_observations
from support.messages import FIVE
from support.replies import conforms
from support.scans import parts
from support.server import Check, Server
from support.webhooks import Receiver

pytestmark = pytest.mark.without_models


def address(server):
    return f"http://127.0.0.1:{server.port}"


def passed_check(server, mien, **more):
    """Returns the ID of a check that was passed on claimed observations."""
    check = mien.create_check(challenge="turn-left", sources=["observed", "claimed"], **more)
    assert claim_turn(Check(server, check), "turn-left")[-1]["state"] == "passed"
    return check["id"]


def test_check_from_creation_to_deletion(server, mien, mien_client):
    check = mien.create_check(
        tasks=[{"kind": "head-path", "difficulty": "hard"}], assurance="standard", sources=["observed"], scan=True, capture=True,
        attempts=2, abilities=["neck", "eyelids", "mouth", "sight"], person="ada", device="kiosk-1", audit_images=2, clip=True,
        depth=False, reference="order 42 — ünïcode")
    conforms("CreatedCheck", check)
    with pytest.raises(mien_client.Forbidden):
        mien.get_check_token(check["id"])  # it was shown when the check was created
    result = mien.get_check(check["id"])
    conforms("Result", result)
    assert (result["state"], result["person"], result["reference"]) == ("open", "ada", "order 42 — ünïcode")
    with pytest.raises(mien_client.WaitTimedOut, match=check["id"]):
        mien.wait_for_check(check["id"], timeout=0.3, interval=0.2)
    id = passed_check(server, mien, person="ada")
    result = mien.wait_for_check(id)
    assert result["state"] == "passed" and not mien_client.is_live(result) and mien_client.is_live(
        {**result, "source": "observed"}, least="claimed")
    with pytest.raises(mien_client.NotFound):
        mien.get_image(id, 0)
    assert mien.delete_check(check["id"])["deleted"]["checks"] == 1
    assert mien.erase_person("ada")["deleted"]["checks"] == 1
    with pytest.raises(mien_client.NotFound):
        mien.get_check(id)


def test_is_live_takes_state_source_and_basis_together(mien_client):
    passed = {"state": "passed", "source": "observed", "basis": "frames"}
    assert mien_client.is_live(passed) and mien_client.is_live({**passed, "state": None, "outcome": "passed"}) is False
    assert mien_client.is_live({"outcome": "passed", "source": "observed", "basis": "frames"})
    for changed in ({"state": "failed"}, {"source": "claimed"}, {"basis": "depth"}, {"basis": "stronger"}, {"basis": "none"}):
        assert not mien_client.is_live({**passed, **changed}), changed
    assert mien_client.is_live({**passed, "basis": "depth"}, least="depth")


def test_rejections_are_typed_exceptions(server, mien, mien_client):
    with pytest.raises(mien_client.NotFound) as caught:
        mien.get_check("chk_none")
    problem = caught.value
    assert (problem.status, problem.code) == (404, "not-found") and problem.title and problem.detail and not problem.is_temporary
    conforms("Problem", problem.problem)
    with pytest.raises(mien_client.Unprocessable, match="bad-value"):
        mien.create_check(attempts=9)
    with pytest.raises(mien_client.BadRequest):
        mien.create_check(abilities="neck")
    with mien_client.Mien(address(server), "mien_wrong") as unauthorized:
        with pytest.raises(mien_client.Unauthorized) as caught:
            unauthorized.list_keys()
        assert "mien_wrong" not in repr(caught.value) + repr(unauthorized)
    with mien_client.Mien(f"http://127.0.0.1:{server.port}/elsewhere", server.key) as lost:
        with pytest.raises(mien_client.MienError):
            lost.get_check("chk_none")
    with mien_client.Mien("http://127.0.0.1:1", retries=0) as unreachable, pytest.raises(mien_client.ConnectionFailed):
        unreachable.get_error_rates()
    with pytest.raises(ValueError, match="https://"):
        mien_client.Mien("liveness.example")
    for id in ("", "..", "."):
        with pytest.raises(ValueError):
            mien.get_check(id)
    with pytest.raises(ValueError):
        mien.download_scan_result("scn_x", "../../keys", io.BytesIO())
    with pytest.raises(mien_client.NotFound):
        mien.get_check("a/../../keys?x#y")


def problem(status, code, wait=None):
    return httpx.Response(status, headers={"Content-Type": "application/problem+json", **({"Retry-After": wait} if wait else {})},
                          json={"type": "about:blank", "title": code, "status": status, "detail": "…", "code": code})


class Scripted:
    """A transport that gives these responses, or raises them, in order; the last one repeats."""

    def __init__(self, *answers):
        self.answers, self.requests = list(answers), []

    def __call__(self, request):
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def scripted(mien_client, *answers, **options):
    script = Scripted(*answers)
    return script, mien_client.Mien("http://mien.test", "mien_k", transport=httpx.MockTransport(script), **options)


def test_busy_servers_are_asked_again_after_their_wait(mien_client):
    created = httpx.Response(201, json={"id": "whk_1"})
    script, mien = scripted(mien_client, problem(503, "busy", "0"), problem(429, "too-many-requests", "0"), created)
    assert mien.create_webhook("https://shop.example/")["id"] == "whk_1" and len(script.requests) == 3
    assert len({request.content for request in script.requests}) == 1
    script, mien = scripted(mien_client, problem(503, "busy", "0"))
    with pytest.raises(mien_client.Unavailable):
        mien.create_webhook("https://shop.example/")
    assert len(script.requests) == 4
    for status, code in ((503, "model-unavailable"), (429, "locked-out")):
        script, mien = scripted(mien_client, problem(status, code, "0"))
        with pytest.raises(mien_client.ProblemError, match=code):
            mien.create_check()
        assert len(script.requests) == 1, "a wait does not help"
    script, mien = scripted(mien_client, problem(429, "too-many-requests", "3600"))
    with pytest.raises(mien_client.RateLimited) as caught:
        mien.get_check("chk_1")
    assert caught.value.retry_after == 3600 and len(script.requests) == 1, "a long wait is the caller's"


def test_lost_responses_are_asked_for_again_only_without_harm(mien_client, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    lost, key = httpx.ReadTimeout("lost"), httpx.Response(201, json={"id": "key_1", "files": []})
    for send, again in (
            (lambda mien: mien.create_key(), False), (lambda mien: mien.lock_message("x", steps=FIVE), False),
            (lambda mien: mien.get_check("chk_1"), True), (lambda mien: mien.create_check(), True),
            (lambda mien: mien.lock_message("x", recording={"id": "r", "token": "t"}), True),
            (lambda mien: mien.create_scan(), True), (lambda mien: mien.revoke_key("key_1"), True)):
        for answer in (lost, problem(503, "unavailable", "0"), httpx.Response(502, text="a proxy")):
            script, mien = scripted(mien_client, answer, key)
            if again:
                send(mien)
                assert len(script.requests) == 2
            else:
                with pytest.raises(mien_client.MienError):
                    send(mien)
                assert len(script.requests) == 1
    script, mien = scripted(mien_client, httpx.ConnectError("refused"), key)
    assert mien.create_key()["id"] == "key_1", "what was never sent can be sent again"
    script, mien = scripted(mien_client, lost, key)
    mien.create_scan()
    assert len({request.headers["idempotency-key"] for request in script.requests}) == 1
    script, mien = scripted(mien_client, httpx.Response(302, headers={"Location": "https://other.example/"}))
    with pytest.raises(mien_client.ConnectionFailed, match="302"):
        mien.create_key()
    assert len(script.requests) == 1, "the key is not sent to another host"


def test_messages_are_locked_opened_and_deleted(mien, mien_client):
    message = mien.lock_message("meet me at nine", steps=FIVE, mode="secret", avatar="fox", attempts=5, first_wait=60, views=2,
                                expires_in=3600, requires_frames=False)
    conforms("Message", message)
    gif = mien.get_message_gif(message["id"])
    assert gif.startswith(b"GIF89a") and mien.read_message_id(gif) == {"found": "comment", "id": message["id"]}
    performance = mien.unlock_message(message["id"])
    lines, began = expression_observations(FIVE), time.monotonic()
    for start in range(0, len(lines), 6):
        part = lines[start:start + 6]
        time.sleep(max(0, part[-1]["t"] - 1 - (time.monotonic() - began)))
        step = mien.send_performance_observations(performance, part, client="phone-1")
    conforms("PerformanceStep", step)
    assert (step["state"], step["text"]) == ("opened", "meet me at nine")
    assert mien.get_message(message["id"])["views_left"] == 1
    with pytest.raises(mien_client.Unauthorized):
        mien.delete_message(message["id"], receipt="rcp_wrong")
    mien.delete_message(message["id"], receipt=message["receipt"])
    with pytest.raises(mien_client.Gone):
        mien.get_message_gif(message["id"])
    assert mien.record_sequence(steps=3)["steps"] == 3


def test_photos_are_sent_and_verified(mien, mien_client, tmp_path):
    picture = photo(71)
    (tmp_path / "photo.png").write_bytes(picture)
    capture = mien.send_capture(tmp_path / "photo.png", metadata={"captured_at_ms": int(time.time() * 1000)}, burst=[])
    conforms("Capture", capture)
    found = mien.wait_for_capture(capture["id"])
    assert found["state"] == "analyzed" and found["claimed"], found
    assert mien.get_capture_part(capture["id"], "photo") == picture
    assert mien.verify_file(picture)["captures"] == [capture["id"]]
    assert mien.verify_file(photo(72))["file"] == "unknown"
    digests = mien.send_capture(digests={"photo": hashlib.sha256(picture).hexdigest()})
    assert digests["state"] == "hash-only"
    mien.delete_capture(digests["id"], receipt=digests["receipt"])
    mien.delete_capture(capture["id"])
    with pytest.raises(mien_client.NotFound):
        mien.get_capture(capture["id"])
    assert mien.get_error_rates()["rates"]


def test_scans_are_uploaded_in_pieces_and_downloaded(mien, mien_client, tmp_path, monkeypatch):
    monkeypatch.setattr(mien_client._requests, "PIECE", 100_000)
    files = parts(6, shift=71)
    (tmp_path / "depth_scan.bin").write_bytes(files["depth_scan"])
    sent = {"depth_scan.bin": tmp_path / "depth_scan.bin", "metadata.json": files["metadata"], "image1.png": files["image1"]}
    subject = mien.create_subject(name="Chair", due="2031-05-04")
    assert mien.list_subjects(day="2031-05-04")["total"] == 1
    # An upload that is interrupted after a piece goes on from the server's offset.
    key = "upload-1"
    piece, calls = mien_client.Mien._piece, []

    def fail_second_piece(self, path, offset, content, token):
        calls.append(offset)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return piece(self, path, offset, content, token)

    monkeypatch.setattr(mien_client.Mien, "_piece", fail_second_piece)
    with pytest.raises(KeyboardInterrupt):
        mien.upload_scan(sent, subject=subject["id"], label="by the window", idempotency_key=key)
    scan = mien.upload_scan(sent, subject=subject["id"], label="by the window", idempotency_key=key)
    assert calls[:3] == [0, 100_000, 100_000], calls
    scan = mien.wait_for_scan(scan["id"])
    conforms("Scan", scan)
    assert scan["status"] == "done" and scan["label"] == "by the window", scan
    assert [found["id"] for found in mien.list_scans(label="by the window")["scans"]] == [scan["id"]]
    source, model, archive = io.BytesIO(), io.BytesIO(), io.BytesIO()
    assert mien.download_scan_file(scan["id"], "depth_scan.bin", source) == len(files["depth_scan"])
    assert source.getvalue() == files["depth_scan"]
    mien.download_scan_result(scan["id"], "model.glb", model)
    (listed,) = [result for result in scan["results"] if result["name"] == "model.glb"]
    assert hashlib.sha256(model.getvalue()).hexdigest() == listed["sha256"]
    mien.export_scan(scan["id"], archive)
    assert archive.getvalue().startswith(b"PK") and mien.get_scan_depth(scan["id"], 0).startswith(b"\x89PNG")
    assert mien.update_scan(scan["id"], label="")["id"] == scan["id"]
    with pytest.raises(mien_client.NotFound):
        mien.download_scan_result(scan["id"], "nothing.glb", model)
    assert mien.delete_subject(subject["id"]) == 1


def test_webhook_messages_are_verified(binary, mien_client):
    server = Server(binary, arguments=["--allow-private-webhooks"])
    try:
        with Receiver() as receiver, mien_client.Mien(address(server), server.key) as mien:
            hook = mien.create_webhook(receiver.url, events=["check.passed"])
            id = passed_check(server, mien, reference="order 42")
            _, _, headers, body = receiver.wait(1)
            webhook = mien_client.Webhook(hook["secret"])
            message = webhook.verify(body, headers)
            conforms("WebhookBody", message)
            assert (message["type"], message["data"]["id"]) == ("check.passed", id) and not mien_client.is_live(message["data"])
            assert mien.verify_result(message["data"]["signed"], check=id)["outcome"] == "passed"
            assert mien_client.Webhook(public_key=hook["public_key"]).verify(body, headers) == message
            wrong = base64.b64encode(os.urandom(32)).decode()
            for other in (mien_client.Webhook("whsec_" + wrong), mien_client.Webhook(public_key="whpk_" + wrong)):
                with pytest.raises(mien_client.SignatureInvalid):
                    other.verify(body, headers)
            given = {name.lower(): value for name, value in headers.items()}
            rejected = [
                (body.replace(b"passed", b"failed"), given), (body + b" ", given),
                (body, {**given, "webhook-id": "msg_other"}),
                (body, {**given, "webhook-timestamp": str(int(given["webhook-timestamp"]) + 1)}),
                (body, {**given, "webhook-timestamp": "soon"}), (body, {**given, "webhook-timestamp": "٣"}),
                (body, {**given, "webhook-signature": "v1,"}), (body, {**given, "webhook-signature": "v1,ünïcode"}),
                (body, {**given, "webhook-signature": given["webhook-signature"].replace("v1,", "v2,")}),
                (body, {name: value for name, value in given.items() if name != "webhook-signature"})]
            for changed, changed_headers in rejected:
                with pytest.raises(mien_client.SignatureInvalid):
                    webhook.verify(changed, changed_headers)
            for shift, accepted in ((299, True), (-299, True), (302, False), (-302, False)):
                clock = lambda: int(given["webhook-timestamp"]) + shift  # noqa: E731
                late = mien_client.Webhook(hook["secret"], clock=clock)
                if accepted:
                    late.verify(body, given)
                else:
                    with pytest.raises(mien_client.SignatureInvalid, match="clock"):
                        late.verify(body, given)
            # After the secret was replaced, either secret verifies, and so does a list of both.
            rotated = mien.rotate_webhook_secret(hook["id"])
            assert mien.ping_webhook(hook["id"])["event"] == "webhook.ping"
            _, _, headers, body = receiver.wait(2)
            for secrets in (hook["secret"], rotated["secret"], ["whsec_" + wrong, rotated["secret"]]):
                assert mien_client.Webhook(secrets).verify(body, headers)["type"] == "webhook.ping"
            assert [sent["event"] for sent in mien.list_webhook_messages(hook["id"])] == ["webhook.ping", "check.passed"]
            assert [found["id"] for found in mien.list_webhooks()] == [hook["id"]]
            mien.delete_webhook(hook["id"])
            for secret in ("", "secret", "whsec_", "whsec_%%%", []):
                with pytest.raises(ValueError):
                    mien_client.Webhook(secret)
    finally:
        server.clean()


def test_signed_results_are_verified(server, mien, mien_client):
    id = passed_check(server, mien, reference="order 42")
    result = mien.get_check(id)
    payload = mien.verify_result(result["signed"], check=id)
    conforms("SignedResult", payload)
    assert payload["reference"] == "order 42"
    keys = mien.get_result_keys()
    assert mien_client.verify_signed_result(result["signed"], keys) == payload
    # Keys that are cached since before the server changed its key are requested again, but not for every invalid result.
    mien._result_keys, mien._result_keys_time = {"keys": []}, time.monotonic() - 60
    assert mien.verify_result(result["signed"], check=id) == payload
    mien._result_keys, mien._result_keys_time = {"keys": []}, time.monotonic()
    with pytest.raises(mien_client.SignatureInvalid):
        mien.verify_result(result["signed"], check=id)
    mien._result_keys = None
    header, body, signature = result["signed"].split(".")

    def part(document):
        return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")

    kid = keys["keys"][0]["kid"]
    forged = [
        f"{header}.{part({**payload, 'person': 'eve'})}.{signature}", f"{header}.{body}.{signature[:-4]}AAAA", f"{header}.{body}.",
        f"{header}.{body}", f"{part({'alg': 'none', 'kid': kid, 'typ': 'mien-result+jws'})}.{body}.",
        f"{part({'alg': 'HS256', 'kid': kid, 'typ': 'mien-result+jws'})}.{body}.{signature}", "x.y.z", "", "ü.ü.ü",
        f"{part({'alg': 'ES256', 'kid': 'other', 'typ': 'mien-result+jws'})}.{body}.{signature}"]
    for signed in forged:
        with pytest.raises(mien_client.SignatureInvalid):
            mien_client.verify_signed_result(signed, keys)
    with pytest.raises(mien_client.SignatureInvalid, match="another check"):
        mien.verify_result(result["signed"], check="chk_other")
    # The token of a check is signed with the same key, and is no result.
    with pytest.raises(mien_client.SignatureInvalid):
        mien.verify_result(mien.create_check()["token"])
    with pytest.raises(mien_client.SignatureInvalid):
        mien_client.verify_signed_result(result["signed"], {"keys": []})


def test_keys_and_records_of_the_server_are_read(mien):
    key = mien.create_key(name="reader", scopes=["read"], expires_in=3600)
    successor = mien.rotate_key(key["id"], overlap=0)
    assert {found["id"] for found in mien.list_keys()} >= {key["id"], successor["id"]}
    mien.revoke_key(successor["id"])
    assert mien.is_alive() and "mien_" in mien.get_metrics()
    conforms("Readiness", mien.get_readiness())
    conforms("Retention", mien.get_retention())
    conforms("AuditLog", mien.get_audit_log(after=0))


def test_lists_are_read_page_by_page(mien):
    made = [mien.create_check(reference="listed", person="eve")["id"] for _ in range(3)]
    first = mien.list_checks(reference="listed", person="eve", state="open", limit=2)
    conforms("CheckList", first)
    rest = mien.list_checks(reference="listed", limit=2, after=first["next"])
    assert {check["id"] for check in first["checks"] + rest["checks"]} == set(made) and "next" not in rest
    assert mien.list_checks(created_before="2020-01-01T00:00:00Z") == {"checks": []}
    assert mien.list_captures(check=made[0]) == {"captures": []} and "messages" in mien.list_messages(state="open")


def test_asynchronous_client_does_the_same(server, mien_client, tmp_path):
    (tmp_path / "depth_scan.bin").write_bytes(parts(4, shift=72)["depth_scan"])

    async def work():
        async with mien_client.AsyncMien(address(server), server.key) as mien:
            checks = await asyncio.gather(*(mien.create_check(reference=str(number)) for number in range(4)))
            results = await asyncio.gather(*(mien.get_check(check["id"]) for check in checks))
            assert sorted(result["reference"] for result in results) == ["0", "1", "2", "3"]
            with pytest.raises(mien_client.NotFound):
                await mien.get_check("chk_none")
            step = await mien.send_observations(
                await mien.create_check(sources=["observed", "claimed"]), [{"t": 0, "faces": 0}], client="phone-1")
            conforms("Step", step)
            capture = await mien.send_capture(photo(73))
            assert (await mien.wait_for_capture(capture["id"]))["state"] == "analyzed"
            scan = await mien.upload_scan(
                {"depth_scan.bin": tmp_path / "depth_scan.bin", "metadata.json": parts(4, shift=72)["metadata"]})
            assert (await mien.wait_for_scan(scan["id"]))["status"] == "done"
            with (tmp_path / "scan.zip").open("wb") as file:
                count = await mien.export_scan(scan["id"], file)
            assert count == (tmp_path / "scan.zip").stat().st_size > 100_000

    # In a thread of its own: the browser tests of the same process leave an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work()).result()
