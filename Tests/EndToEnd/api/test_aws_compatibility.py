"""Tests of the AWS-compatible API with unmodified boto3 and awscli, and of signed results with PyJWT."""

import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import time

import boto3
import botocore.exceptions
import jwt
import pytest

from support import footage
from support.aws import CREATE, READ, key_of, keys, new_key, raw, signed
from support.checks import claim_turn, need_footage, observation, play
from support.replies import conforms, expect
from support.server import Check, Server

# The recorded videos show a head turn.
pytestmark = pytest.mark.default_assurance("basic")


def client(server, **changes):
    options = {**key_of(server), "region_name": "eu-central-1", "endpoint_url": f"http://127.0.0.1:{server.port}",
               "config": botocore.config.Config(retries={"max_attempts": 1})}
    return boto3.client("rekognition", **{**options, **changes})


def session(server, side=None, **settings):
    """Creates a session and returns its check; with `side`, repeats until a session asks for that side."""
    for _ in range(64):
        reply = client(server).create_face_liveness_session(**({"Settings": settings} if settings else {}))
        headers = reply["ResponseMetadata"]["HTTPHeaders"]
        check = Check(server, {"id": reply["SessionId"], "token": headers["mien-token"]})
        if side is None or check.result().json["challenge"] == side:
            return check
    raise AssertionError(f"no session asks for {side}")


def results(server, check):
    return client(server).get_face_liveness_session_results(SessionId=check.id)


def check_error(code, call, **parameters):
    try:
        call(**parameters)
    except botocore.exceptions.ClientError as error:
        assert error.response["Error"]["Code"] == code, (code, error.response)
        assert len(error.response["Error"]["Message"]) > 10
        return error
    raise AssertionError(f"expected {code}")


def check_error_reply(reply, code):
    assert reply.status >= 400 and reply.json["__type"] == code == reply.headers["x-amzn-errortype"], (code, reply)
    return reply


# ── a session from beginning to end ───────────────────────────────────────────────────────────────────────────────────

def passed_session(server, quality, **settings):
    """Passes a session with footage of a head turn, in up to five tries since frames are dropped under load; returns check and frames."""
    for take in range(5):
        check = session(server, "turn-right", **settings)
        # A different JPEG quality gives different bytes: the server refuses frames that another session has sent.
        frames = footage.clip("zubair/real.mov", rate=15, quality=quality + 3 * take)
        assert results(server, check)["Status"] == "CREATED"
        last = play(check, frames, 15)
        if last and last["state"] == "passed":
            return check, frames
    raise AssertionError(f"no take passed, last {last and (last['state'], last['reason'])}")


def test_boto3_creates_a_session_and_reads_its_results(server):
    need_footage()
    fresh = session(server, AuditImagesLimit=3)
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", fresh.id)
    created = results(server, fresh)
    assert created["Status"] == "CREATED" and "Confidence" not in created and "ReferenceImage" not in created, created
    expect(fresh.frame(footage.drawn()[1]), 200)
    assert results(server, fresh)["Status"] == "IN_PROGRESS"
    check, frames = passed_session(server, 3, AuditImagesLimit=3)
    done = results(server, check)
    assert done["Status"] == "SUCCEEDED" and 50 <= done["Confidence"] <= 100, (done["Status"], done["Confidence"])
    assert done["Challenge"] == {"Type": "FaceMovementChallenge", "Version": "1.0.0"}
    pictures = [done["ReferenceImage"], *done["AuditImages"]]
    assert len(pictures) == 4 and len({p["Bytes"] for p in pictures}) == 4
    for picture in pictures:
        assert picture["Bytes"] in frames, "a kept picture is a frame as it was received"
        box = picture["BoundingBox"]
        assert 0 <= box["Left"] < box["Left"] + box["Width"] <= 1 and 0 <= box["Top"] < box["Top"] + box["Height"] <= 1


def test_wrong_turn_fails_and_audit_images_are_returned_on_request_only(server):
    need_footage()
    asked, silent = session(server, "turn-left", AuditImagesLimit=2), session(server, "turn-left")
    for check, quality, audits in ((asked, 4, 2), (silent, 5, 0)):
        last = play(check, footage.clip("zubair/real.mov", rate=14, quality=quality), 14)
        assert last and last["state"] == "failed", last
        done = results(server, check)
        assert (done["Status"], done["Confidence"]) == ("FAILED", 0), done["Status"]
        assert "ReferenceImage" not in done and len(done["AuditImages"]) == audits
        assert len(results(server, check)["AuditImages"]) == audits
        entries = expect(server.request("GET", f"/v1/audit?about=check/{check.id}", token=server.key), 200).json["entries"]
        saw = [(one["actor"], one["action"]) for one in entries]
        actor = "aws/" + key_of(server)["aws_access_key_id"]
        assert saw == ([(actor, "viewed-images")] if audits else []), f"who saw it, once within a minute: {saw}"


def test_sessions_reject_claimed_observations(server):
    """Sessions do not accept client observations, even on a server that allows them for other checks."""
    check = session(server, "turn-left", AuditImagesLimit=4)
    for second in range(3):
        expect(check.observe(observation(second)), 403, "source-not-allowed")
    read = results(server, check)
    assert read["Status"] in ("CREATED", "IN_PROGRESS") and "Confidence" not in read, read
    assert check.result().json["sources"] == ["observed"]


def test_awscli_creates_and_reads_sessions(server):
    key = key_of(server)
    environment = {**os.environ, "AWS_ACCESS_KEY_ID": key["aws_access_key_id"], "AWS_DEFAULT_REGION": "us-east-1",
                   "AWS_SECRET_ACCESS_KEY": key["aws_secret_access_key"], "AWS_EC2_METADATA_DISABLED": "true"}

    def aws(*arguments):
        return subprocess.run(
            [sys.executable, str(pathlib.Path(sys.executable).with_name("aws")), "rekognition", *arguments,
             "--endpoint-url", f"http://127.0.0.1:{server.port}", "--output", "json"],
            env=environment, capture_output=True, text=True)

    made = aws("create-face-liveness-session", "--settings", "AuditImagesLimit=2", "--client-request-token", "cli-1")
    assert made.returncode == 0, made.stderr
    id = json.loads(made.stdout)["SessionId"]
    read = aws("get-face-liveness-session-results", "--session-id", id)
    assert json.loads(read.stdout) == {"SessionId": id, "Status": "CREATED"}, (read.stdout, read.stderr)
    unknown = aws("get-face-liveness-session-results", "--session-id", "00000000-0000-4000-8000-000000000000")
    assert unknown.returncode != 0 and "SessionNotFoundException" in unknown.stderr, unknown.stderr
    # awscli does not print the token's header, so the API key's holder requests the token.
    token = expect(server.request("GET", f"/v1/checks/{id}/token", token=server.key), 200).json
    conforms("CreatedCheck", token)
    expect(Check(server, token).frame(footage.drawn(61)[60]), 200)


# ── the token ─────────────────────────────────────────────────────────────────────────────────────────────────────────

def test_token_comes_with_the_session_and_can_be_requested_while_it_is_open(server):
    check = session(server)
    reply = expect(server.request("GET", f"/v1/checks/{check.id}/token", token=server.key), 200)
    # Returns the same session; an ES256 signature differs each time.
    token = reply.json["token"]
    assert token.split(".")[:2] == check.token.split(".")[:2] and reply.json["page"] == f"/check#id={check.id}&token={token}"
    assert reply.headers["cache-control"] == "no-store"
    for wrong in (None, check.token, key_of(server)["aws_secret_access_key"]):
        expect(server.request("GET", f"/v1/checks/{check.id}/token", token=wrong), 401, "unauthorized")
    expect(server.request("GET", "/v1/checks/chk_nobody/token", token=server.key), 404, "not-found")
    expect(server.request("GET", f"/v1/checks/{server.create().id}/token", token=server.key), 403, "forbidden")
    other = session(server)
    assert other.token != check.token
    expect(check.frame(footage.drawn()[0], token=other.token), 401, "unauthorized")


def test_tokens_and_sessions_survive_sigkill(server):
    check = session(server)
    server.kill()
    server.start()
    assert results(server, check)["Status"] == "CREATED"
    expect(check.frame(footage.drawn(62)[61]), 200)


# ── idempotency ───────────────────────────────────────────────────────────────────────────────────────────────────────

def test_repeated_request_token_creates_no_second_session(server):
    make = client(server).create_face_liveness_session
    first, again = [make(ClientRequestToken="order-1", Settings={"AuditImagesLimit": 1}) for _ in range(2)]
    assert first["SessionId"] == again["SessionId"]
    headers = [r["ResponseMetadata"]["HTTPHeaders"]["mien-token"].split(".") for r in (first, again)]
    assert headers[0][:2] == headers[1][:2] and headers[0][0].startswith("eyJ")
    other = check_error("IdempotentParameterMismatchException", make, ClientRequestToken="order-1")
    assert type(other).__name__ == "IdempotentParameterMismatchException"
    assert make(ClientRequestToken="order-2")["SessionId"] != first["SessionId"]
    # Request tokens are scoped to an access key.
    unregistered = client(server, **new_key(server)).create_face_liveness_session
    assert unregistered(ClientRequestToken="order-1")["SessionId"] != first["SessionId"]


def test_concurrent_requests_with_one_token_create_one_session(server):
    import concurrent.futures
    key_of(server)
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        made = list(pool.map(
            lambda _: client(server).create_face_liveness_session(ClientRequestToken="all-at-once")["SessionId"], range(24)))
    assert len(set(made)) == 1, set(made)


def test_expired_session_reports_it_and_its_request_token_can_be_reused(server):
    short = Server(server.binary, arguments=["--lifetime", "1"], loads_models=False)
    try:
        make = client(short).create_face_liveness_session
        first = make(ClientRequestToken="daily")["SessionId"]
        time.sleep(1.2)
        read = client(short).get_face_liveness_session_results
        assert read(SessionId=first)["Status"] == "EXPIRED"
        expect(short.request("GET", f"/v1/checks/{first}/token", token=short.key), 409, "check-ended")
        assert make(ClientRequestToken="daily")["SessionId"] != first
        time.sleep(2.2)
        done = read(SessionId=first)
        assert done["Status"] == "EXPIRED" and "Confidence" not in done, done
    finally:
        short.clean()


# ── refused requests ──────────────────────────────────────────────────────────────────────────────────────────────────

def test_errors_are_exceptions_known_to_boto3(server):
    rekognition = client(server)
    make, read = rekognition.create_face_liveness_session, rekognition.get_face_liveness_session_results
    try:
        read(SessionId="00000000-0000-4000-8000-000000000000")
        raise AssertionError("found")
    except rekognition.exceptions.SessionNotFoundException as error:
        assert error.response["ResponseMetadata"]["HTTPStatusCode"] == 400
    check_error("ValidationException", read, SessionId="chk_" + "0" * 32)
    try:
        make(Settings={"OutputConfig": {"S3Bucket": "bucket"}})
        raise AssertionError("took a bucket")
    except rekognition.exceptions.InvalidParameterException:
        pass
    check_error("InvalidParameterException", make, KmsKeyId="alias/mine")
    check_error("ValidationException", make, ClientRequestToken="two words")
    check_error("ValidationException", make, Settings={"ChallengePreferences": [{"Type": "Nod"}]})
    check_error("ValidationException", make, Settings={
        "ChallengePreferences": [{"Type": "FaceMovementChallenge", "Versions": {"Minimum": "newest"}}]})
    make(Settings={"AuditImagesLimit": 1_000_000_000, "ChallengePreferences": [
        {"Type": "FaceMovementAndLightChallenge", "Versions": {"Minimum": "1.0.0", "Maximum": "2.0.0"}}]})


def test_native_checks_are_not_found_and_access_keys_open_nothing_else(server):
    body = json.dumps({"SessionId": "chk_" + "a" * 32}).encode()
    check_error_reply(raw(server, body, signed(server, body, READ)), "ValidationException")
    # Checks of /v1 never have a UUID as ID; a check of the compatible API can be read in /v1 with an API key only.
    check = session(server)
    assert expect(check.result(), 200).json["state"] == "open"
    for secret in key_of(server).values():
        expect(server.request("GET", f"/v1/checks/{check.id}", token=secret), 401, "unauthorized")


def test_rejects_wrong_keys_and_signatures(server):
    id, secret = key_of(server).values()
    call = lambda **k: client(server, **k).create_face_liveness_session
    check_error("InvalidSignatureException", call(aws_secret_access_key=secret[:-1] + ("a" if secret[-1] != "a" else "b")))
    check_error("UnrecognizedClientException", call(aws_access_key_id="MIENAAAAAAAAAAAAAAAA"))
    check_error("UnrecognizedClientException", call(aws_access_key_id="mien_" + "A" * 43))
    gone = new_key(server)
    client(server, **gone).create_face_liveness_session()
    assert gone["aws_access_key_id"] in keys(server, "list").stdout
    assert keys(server, "remove", gone["aws_access_key_id"]).returncode == 0
    assert keys(server, "remove", gone["aws_access_key_id"]).returncode != 0
    check_error("UnrecognizedClientException", client(server, **gone).create_face_liveness_session)


def test_rejects_dates_more_than_15_minutes_off(server):
    now = datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)
    for minutes, good in ((-16, False), (16, False), (-14, True), (14, True), (60 * 24 * 365 * 30, False)):
        headers = signed(server, b"{}", at=now + datetime.timedelta(minutes=minutes))
        reply = raw(server, b"{}", headers)
        assert reply.status == 200 if good else check_error_reply(reply, "InvalidSignatureException"), (minutes, reply)
    # The scope's date must match the request's date, and a signature is not valid for another date.
    headers = signed(server, b"{}")
    stamp = headers["X-Amz-Date"]
    for other in ("20260101T000000Z", stamp[:9] + "000000Z" if stamp[9:15] != "000000" else stamp[:9] + "000001Z"):
        check_error_reply(raw(server, b"{}", {**headers, "X-Amz-Date": other}), "InvalidSignatureException")
    for nonsense in ("now", "", "20261332T000000Z", "20260230T000000Z", "2026-01-01T00:00:00Z", "+0260101T000000Z", "99999999T999999Z"):
        check_error_reply(raw(server, b"{}", {**headers, "X-Amz-Date": nonsense}), "IncompleteSignatureException")


def test_rejects_changes_to_signed_requests(server):
    body = b'{"ClientRequestToken": "mine"}'
    headers = signed(server, body, X_Amz_Meta="a  b ")
    assert raw(server, body, headers).status == 200
    invalid = "InvalidSignatureException"
    check_error_reply(raw(server, body.replace(b"mine", b"mime"), headers), invalid)
    check_error_reply(raw(server, b"", headers), invalid)
    check_error_reply(raw(server, body, {**headers, "X-Amz-Target": READ}), invalid)
    check_error_reply(raw(server, body, {**headers, "X-Amz-Meta": "a c"}), invalid)
    check_error_reply(raw(server, body, {**headers, "Host": "elsewhere.example"}), invalid)
    check_error_reply(raw(server, body, headers, path="/?a=b"), invalid)
    check_error_reply(raw(server, body, {**headers, "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD"}), invalid)
    check_error_reply(raw(server, body, {**headers, "X-Amz-Security-Token": "added"}), invalid)
    without = dict(headers)
    without["Authorization"] = without["Authorization"].replace("x-amz-target", "")
    assert raw(server, body, without).status == 400
    wrong = signed(server, body, X_Amz_Content_Sha256=hashlib.sha256(b"other").hexdigest())
    check_error_reply(raw(server, body, wrong), invalid)
    right = signed(server, body, X_Amz_Content_Sha256=hashlib.sha256(body).hexdigest())
    assert raw(server, body, right).status == 200
    check_error_reply(raw(server, body, signed(server, body, service="s3")), invalid)


def test_malformed_requests_are_rejected_in_the_aws_format(server):
    check_error_reply(raw(server, b"{}", {"X-Amz-Target": CREATE}), "MissingAuthenticationTokenException")
    check_error_reply(raw(server, b"", {}), "MissingAuthenticationTokenException")
    good = signed(server, b"{}")
    for header in ("Bearer x", "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256 Credential=a, Credential=a",
                   "AWS4-HMAC-SHA256 " + "x" * 5000, "AWS4-ECDSA-P256-SHA256 Credential=a",
                   good["Authorization"].replace("aws4_request", "aws5_request"),
                   good["Authorization"].replace("host;", "Host;"), good["Authorization"].replace("host;", "host;host;"),
                   good["Authorization"].replace("host;", "host;nowhere;"), good["Authorization"][:-1],
                   good["Authorization"].replace("eu-central-1", "../etc"), good["Authorization"] + ", A=b"):
        reply = raw(server, b"{}", {**good, "Authorization": header})
        assert reply.status == 400 and reply.json["__type"] == "IncompleteSignatureException", (header[-60:], reply)
    for target in ("RekognitionService.DeleteFaces", "Other.CreateFaceLivenessSession", "CreateFaceLivenessSession", "x" * 3000):
        check_error_reply(raw(server, b"{}", signed(server, b"{}", target)), "UnknownOperationException")
    for body, code in ((b"{", "SerializationException"), (b"[]", "SerializationException"), (b"\xff", "SerializationException"),
                       (b'{"Settings": 3}', "SerializationException"), (b'{"settings": {}}', "ValidationException"),
                       (b'{"Settings": {"AuditImagesLimit": "4"}}', "SerializationException"),
                       (b'{"Settings": {"AuditImagesLimit": 1e400}}', "SerializationException"),
                       (b'{"Settings": {"AuditLimit": 4}}', "ValidationException"),
                       (json.dumps({"ClientRequestToken": "x" * 65}).encode(), "ValidationException"),
                       (b'{"ClientRequestToken": ""}', "ValidationException"), (b'{"a":' * 2000, "SerializationException"),
                       (json.dumps({"Settings": {"ChallengePreferences": [{"Type": "FaceMovementChallenge"}] * 9}}).encode(),
                        "ValidationException")):
        check_error_reply(raw(server, body, signed(server, body)), code)
    for body in (b"{}", b'{"SessionId": "x"}', b'{"SessionId": "../../etc/passwd"}', b'{"SessionId": null}',
                 b'{"SessionId": "0000000000000000000000000000000000-0"}'):
        check_error_reply(raw(server, body, signed(server, body, READ)), "ValidationException")
    large = b" " * 70_000
    check_error_reply(raw(server, large, signed(server, large)), "RequestEntityTooLargeException")
    check_error_reply(raw(server, b"{}", signed(server, b"{}", Content_Type="text/plain")), "SerializationException")


def test_random_requests_never_stop_the_server(server):
    rng = random.Random(11)
    good = signed(server, b"{}")
    for _ in range(150):
        headers = dict(good)
        name = rng.choice(list(headers))
        text = list(headers[name])
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = chr(rng.randrange(33, 127))
        headers[name] = "".join(text)
        reply = server.request("POST", "/", rng.randbytes(rng.randrange(50)), headers)
        assert reply.status in (400, 403), (headers, reply)
    expect(server.request("GET", "/health/live"), 200)


# ── deletion ──────────────────────────────────────────────────────────────────────────────────────────────────────────

def encrypted_images(server, check):
    """Returns the check's images as stored in the database."""
    with contextlib.closing(sqlite3.connect(f"file:{server.data}/mien.sqlite?mode=ro", uri=True, timeout=20)) as database:
        return [row[0] for row in database.execute("SELECT bytes FROM picture WHERE check_id = ?", (check.id,))]


def files_containing(server, picture):
    """Returns the names of files in the data directory that contain a piece of the image."""
    pieces = [picture[at:at + 48] for at in range(1000, len(picture) - 48, 3500)]
    return [path.name for path in pathlib.Path(server.data).rglob("*.*") if any(p in path.read_bytes() for p in pieces)]


def test_images_expire_and_deleted_sessions_leave_nothing(server):
    need_footage()
    other = Server(server.binary, arguments=["--image-lifetime", "3"])
    try:
        check, _ = passed_session(other, 6, AuditImagesLimit=1)
        pictures = results(other, check)
        image = pictures["ReferenceImage"]["Bytes"]
        kept = encrypted_images(other, check)
        assert kept and all(files_containing(other, one) for one in kept), "the test would not see a trace"
        assert files_containing(other, image) == [], "a picture is sealed"
        for _ in range(60):
            later = results(other, check)
            if "ReferenceImage" not in later:
                break
            time.sleep(0.1)
        assert later["Status"] == "SUCCEEDED" and "ReferenceImage" not in later and later["AuditImages"] == []
        time.sleep(0.3)
        assert encrypted_images(other, check) == []
        assert not any(files_containing(other, one) for one in kept), "an erased picture is overwritten"
    finally:
        other.clean()
    check, _ = passed_session(server, 7, AuditImagesLimit=1)
    assert results(server, check)["ReferenceImage"]["Bytes"]
    kept = encrypted_images(server, check)
    assert kept and all(files_containing(server, one) for one in kept), "the test would not see a trace"
    erase = lambda token: server.request("DELETE", f"/v1/checks/{check.id}", token=token)
    expect(erase(check.token), 401, "unauthorized")
    assert expect(erase(server.key), 204).body == b""
    expect(erase(server.key), 404, "not-found")
    expect(check.result(), 404, "not-found")
    check_error("SessionNotFoundException", client(server).get_face_liveness_session_results, SessionId=check.id)
    assert not any(files_containing(server, one) for one in kept) and files_containing(server, check.id.encode() * 40) == []


def test_deleted_session_accepts_no_frames(server):
    check = session(server)
    expect(check.frame(footage.drawn(63)[62]), 200)
    expect(server.request("DELETE", f"/v1/checks/{check.id}", token=server.key), 204)
    expect(check.frame(footage.drawn(64)[63]), 404, "not-found")


def test_server_without_image_retention_stores_no_images(server):
    need_footage()
    other = Server(server.binary, arguments=["--no-images"])
    try:
        check, frames = passed_session(other, 8, AuditImagesLimit=4)
        done = results(other, check)
        assert done["Status"] == "SUCCEEDED" and "ReferenceImage" not in done and done["AuditImages"] == []
        assert all(files_containing(other, frame) == [] for frame in frames[::10])
    finally:
        other.clean()


def test_session_that_does_not_pass_has_feedback(server):
    check, passed_over = session(server), session(server)
    black = footage.plain()
    for number in range(8):
        expect(check.frame(black, Mien_Client="page"), 200)
    deadline = time.monotonic() + 90
    while (done := results(server, check))["Status"] not in ("FAILED", "EXPIRED") and time.monotonic() < deadline:
        time.sleep(0.2)
    assert done["Status"] == "FAILED", done
    assert [item["Code"] for item in done["Feedback"]] == ["FACE_NOT_VISIBLE", "LOW_LIGHTING_DETECTED"], done["Feedback"]
    assert all(1 <= len(item["Message"]) <= 512 for item in done["Feedback"])
    assert "Feedback" not in results(server, passed_over), "nothing was seen"
    result = expect(check.result(), 200).json
    conforms("Result", result)
    assert [(item["code"].upper().replace("-", "_"), item["message"]) for item in result["feedback"]] == [
        (item["Code"], item["Message"]) for item in done["Feedback"]], "the same words in both APIs"


# ── signed results ────────────────────────────────────────────────────────────────────────────────────────────────────

def verify_token(server, token):
    keys = jwt.PyJWKSet.from_dict(expect(server.request("GET", "/.well-known/jwks.json"), 200).json)
    header = jwt.get_unverified_header(token)
    assert header["alg"] == "ES256" and header["typ"] == "mien-result+jws"
    return jwt.decode(token, keys[header["kid"]], algorithms=["ES256"])


def test_public_keys_may_be_cached_and_read_by_pages_of_every_origin(server):
    for name in ("jwks", "jwks-sandbox"):
        for headers in ({}, {"Origin": "https://elsewhere.example"}):
            reply = expect(server.request("GET", f"/.well-known/{name}.json", headers=headers), 200)
            assert reply.headers["cache-control"] == "public, max-age=300", reply.headers
            assert reply.headers["access-control-allow-origin"] == "*", reply.headers
            assert reply.headers["content-type"] == "application/jwk-set+json"


def test_results_are_signed_and_commit_to_every_frame_in_order(server):
    need_footage()
    check = server.create(challenge="turn-left", reference="order 7", person="ada")
    assert "signed" not in check.result().json, "nothing is signed before it is decided"
    frames = footage.clip("zubair/real.mov", rate=10, quality=9)
    chain = hashlib.sha256(b"mien-frame-chain-1\n" + check.id.encode()).digest()
    count = 0
    began = time.monotonic()
    for index, frame in enumerate(frames):
        body = b"no picture" if index == 3 else frame
        reply = check.frame(body, Mien_Client="a")
        if index == 3:
            expect(reply, 422, "not-an-image")
        chain = hashlib.sha256(chain + hashlib.sha256(body).digest()).digest()
        count += 1
        if reply.status == 200 and reply.json["state"] in ("passed", "failed", "timed-out"):
            break
        time.sleep(max(0, began + count / 10 - time.monotonic()))
    result = expect(check.result(), 200).json
    conforms("Result", result)
    payload = verify_token(server, result["signed"])
    assert payload["frames"] == {"count": count, "method": "mien-frame-chain-1", "chain": chain.hex()}, payload["frames"]
    for name, value in {"iss": "mien", "sub": check.id, "outcome": "failed", "reason": result["reason"], "source": "observed",
                        "reference": "order 7", "person": "ada", "challenge": "turn-left"}.items():
        assert payload[name] == value, (name, payload[name])
    assert payload["findings"] == result["findings"] and {"head-turn-1", "tasks-2"} <= set(payload["settings"].split())
    # A changed letter is detected.
    parts = result["signed"].split(".")
    forged = parts[1][:-2] + ("A" if parts[1][-2] != "A" else "B") + parts[1][-1]
    try:
        verify_token(server, ".".join([parts[0], forged, parts[2]]))
        raise AssertionError("a forged result was taken")
    except jwt.PyJWTError:
        pass


def test_signing_key_persists_and_is_not_stored_in_plain_text(server):
    check = server.claimed(challenge="turn-left")
    assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
    token = check.result().json["signed"]
    before = server.request("GET", "/.well-known/jwks.json").json
    assert set(before["keys"][0]) == {"alg", "crv", "kid", "kty", "use", "x", "y"}, "the private part stays here"
    server.kill()
    server.start()
    assert server.request("GET", "/.well-known/jwks.json").json == before
    assert verify_token(server, token)["outcome"] == "passed"
    seal = pathlib.Path(server.data) / "mien.keyring"
    assert seal.stat().st_mode & 0o777 == 0o600 and len(seal.read_bytes()) == 32
    for name, secret in key_of(server).items():
        found = [p.name for p in pathlib.Path(server.data).rglob("*.*") if secret.encode() in p.read_bytes()]
        assert not found or name == "aws_access_key_id", f"{name} is in {found}"


def test_database_with_another_master_key_is_rejected_at_start(server):
    other = Server(server.binary, loads_models=False)
    other.kill()
    seal = pathlib.Path(other.data) / "mien.keyring"
    for content, word in ((bytes(32), "keyring"), (b"short", "not a keyring file")):
        seal.chmod(0o600)
        seal.write_bytes(content)
        run = subprocess.run([other.binary, "serve", "--port", "0", "--data", other.data, "--models", "/nowhere"],
                             capture_output=True, text=True, timeout=300)
        assert run.returncode != 0 and word in run.stderr and "Restore" in run.stderr, run.stderr
    other.clean()


def test_logs_contain_no_secrets_and_no_session_ids(server):
    text = "".join(server.lines)
    assert not any(secret in text for secret in key_of(server).values()), text[:500]
    assert "eyJ" not in text and not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text), text[:500]
