"""Tests of face match: comparison of two images, references of checks, and CompareFaces with unmodified boto3.

The photographs are those that scripts/install-test-media installs.
"""

import base64
import json
import os
import pathlib
import zlib

import boto3
import botocore.config
import botocore.exceptions
import cv2
import numpy as np
import pytest

from support import photo_formats
from support.aws import key_of
from support.checks import claim_turn
from support.replies import conforms, expect
from support.server import Check

PARTS = pathlib.Path(os.environ.get("MIEN_PARTS") or pathlib.Path(__file__).parents[3] / ".mien")
MEDIA = PARTS / "media"
pytestmark = pytest.mark.skipif(
    not (PARTS / "models/sface_2021dec.onnx").exists() or not (MEDIA / "obama.jpg").exists(),
    reason="the recognition model or the photographs are missing; run scripts/install-parts and scripts/install-test-media")


def photograph(name):
    return (MEDIA / name).read_bytes()


def text(data):
    return base64.b64encode(data).decode()


def compare(server, reference, image):
    body = {"reference_image": text(reference), "image": text(image)}
    return server.request("POST", "/v1/compare", body, token=server.key)


def huge_png(width, height):
    """Returns the header of a PNG that claims this size."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


def test_pictures_of_one_person_match_and_of_two_do_not(server):
    one = photograph("obama.jpg")
    for other in ["obama2.jpg", "obama3.jpg"]:
        reply = expect(compare(server, one, photograph(other)), 200)
        conforms("Comparison", reply.json)
        match = reply.json["match"]
        assert match["decision"] == "match" and match["similarity"] > match["threshold"], match
    for other in ["biden.jpg", "astronaut.png", "0-f1-su-ph.jpg"]:
        reply = expect(compare(server, one, photograph(other)), 200)
        conforms("Comparison", reply.json)
        match = reply.json["match"]
        assert match["decision"] == "no-match" and match["similarity"] < match["threshold"], (other, match)


@pytest.mark.parametrize("kind", ["heic", "avif", "webp"])
def test_formats_of_phones_are_compared(server, kind):
    pixels = cv2.imdecode(np.frombuffer(photograph("obama2.jpg"), np.uint8), cv2.IMREAD_COLOR)
    picture = photo_formats.convert(cv2.imencode(".png", pixels)[1].tobytes(), kind)
    reply = expect(compare(server, photograph("obama.jpg"), picture), 200)
    assert reply.json["match"]["decision"] == "match", reply.json
    # Frames of cameras stay JPEG and PNG.
    refused = server.request("POST", "/v1/faces", picture, {"Content-Type": "image/jpeg"}, server.key)
    assert expect(refused, 422).json["code"] == "not-an-image"


@pytest.mark.parametrize("name, reason", [
    ("free-mountain-vector-01.jpg", "no-face"), ("multi_face.jpg", "several-faces")])
def test_a_picture_that_cannot_be_compared_is_not_assessed(server, name, reason):
    reply = expect(compare(server, photograph("obama.jpg"), photograph(name)), 200)
    conforms("Comparison", reply.json)
    assert reply.json["match"]["decision"] == "not-assessed", reply.json
    assert reply.json["match"]["reason"] == reason and reply.json["image"]["problem"] == reason
    assert "similarity" not in reply.json["match"] and "problem" not in reply.json["reference_image"]


def test_hostile_input_is_refused(server):
    one = photograph("obama.jpg")
    for bad, code in [(b"not a picture", "not-an-image"), (one[:2000], "not-an-image"),
                      (huge_png(8000, 5001), "image-too-large"), (huge_png(60000, 2), "image-too-large")]:
        for pair in [(bad, one), (one, bad)]:
            reply = expect(compare(server, *pair), 422)
            assert reply.json["code"] == code, (code, reply.json)
            assert text(one)[:40] not in json.dumps(reply.json)
    headers = {"Content-Type": "application/json"}
    for body, status in [(b"{}", 400), (b'{"reference_image": "%%", "image": "%%"}', 422),
                         (b'{"reference_image": "", "image": ""}', 422), (b'{"image": 1}', 400),
                         (b'{"reference_image": "", "image": "", "more": 1}', 400)]:
        expect(server.request("POST", "/v1/compare", body, headers, server.key), status)
    expect(server.request("POST", "/v1/compare", b"{}", headers), 401)


def create(server, **options):
    return server.request("POST", "/v1/checks", options, token=server.key)


def test_a_check_takes_a_reference_and_refuses_one_that_cannot_be_compared(server):
    reply = expect(create(server, reference_image=text(photograph("obama.jpg"))), 201)
    result = expect(server.request("GET", f"/v1/checks/{reply.json['id']}", token=server.key), 200)
    conforms("Result", result.json)
    assert "match" not in result.json
    for name, problem in [("multi_face.jpg", "several-faces"), ("free-mountain-vector-01.jpg", "no-face")]:
        refused = expect(create(server, reference_image=text(photograph(name))), 422)
        assert refused.json["code"] == "not-assessed" and problem in refused.json["detail"], refused.json


def match_of(server, check, token=None):
    return server.request("GET", f"/v1/checks/{check['id']}/match", token=token or check["token"])


def decline(server, check, token=None):
    return server.request("POST", f"/v1/checks/{check['id']}/match/decline", token=token or check["token"])


def test_a_person_declines_the_comparison_with_the_token_of_the_check(server):
    compared, other = [expect(create(server, reference_image=text(photograph("obama.jpg"))), 201).json for _ in range(2)]
    plain = expect(create(server), 201).json
    assert expect(match_of(server, plain), 200).json == {"state": "off"}
    expect(decline(server, plain), 422, "bad-value")
    for ask in [match_of, decline]:
        for token in [other["token"], server.key, "wrong"]:
            expect(ask(server, compared, token), 401)
    assert expect(match_of(server, compared), 200).json == {"state": "open"}
    for _ in range(2):
        expect(decline(server, compared), 204)
        reply = expect(match_of(server, compared), 200)
        conforms("CheckMatch", reply.json)
        assert reply.json == {"state": "declined"}
    assert expect(match_of(server, other), 200).json == {"state": "open"}


def test_the_holder_of_the_token_learns_the_decision_alone(server):
    for declines, reason in [(False, "too-few-frames"), (True, "declined")]:
        check = expect(create(server, reference_image=text(photograph("obama.jpg")), challenge="turn-left",
                              sources=["observed", "claimed"]), 201).json
        if declines:
            expect(decline(server, check), 204)
        assert claim_turn(Check(server, check), "turn-left")[-1]["state"] == "passed"
        reply = expect(match_of(server, check), 200)
        conforms("CheckMatch", reply.json)
        assert reply.json == {"state": "decided", "decision": "not-assessed", "reason": reason}
        result = expect(server.request("GET", f"/v1/checks/{check['id']}", token=server.key), 200)
        conforms("Result", result.json)
        assert result.json["match"]["reason"] == reason, result.json["match"]
        expect(decline(server, check), 409, "check-ended")


def test_a_demo_check_takes_a_picture(server):
    for body, status in [({"reference_image": text(photograph("obama.jpg"))}, 201), ({}, 201),
                         ({"reference_image": text(photograph("multi_face.jpg"))}, 422), ({"reference_image": "%"}, 422)]:
        reply = server.request("POST", "/v1/demo/checks", body)
        expect(reply, status)
        if status == 201:
            assert expect(match_of(server, reply.json), 200).json["state"] == ("open" if body else "off")


def test_the_database_holds_no_template_in_the_clear(server):
    expect(create(server, reference_image=text(photograph("obama.jpg"))), 201)
    data = b"".join(path.read_bytes() for path in pathlib.Path(server.data).glob("mien.sqlite*"))
    assert b"sface-2021dec-1\0" not in data


def client(server):
    return boto3.client(
        "rekognition", **key_of(server), region_name="eu-central-1", endpoint_url=f"http://127.0.0.1:{server.port}",
        config=botocore.config.Config(retries={"max_attempts": 1}))


def faces(server, source, target, **options):
    return client(server).compare_faces(SourceImage={"Bytes": source}, TargetImage={"Bytes": target}, **options)


def test_boto3_compares_faces(server):
    one = photograph("obama.jpg")
    reply = faces(server, one, photograph("obama2.jpg"))
    assert len(reply["FaceMatches"]) == 1 and reply["UnmatchedFaces"] == []
    match = reply["FaceMatches"][0]
    assert 80 <= match["Similarity"] <= 100 and match["Face"]["Confidence"] > 80
    assert {mark["Type"] for mark in match["Face"]["Landmarks"]} == {"eyeLeft", "eyeRight", "mouthLeft", "mouthRight", "nose"}
    assert 0 < reply["SourceImageFace"]["BoundingBox"]["Width"] < 1
    other = faces(server, one, photograph("biden.jpg"))
    assert other["FaceMatches"] == [] and len(other["UnmatchedFaces"]) == 1
    low = faces(server, one, photograph("biden.jpg"), SimilarityThreshold=0)
    assert len(low["FaceMatches"]) == 1 and low["FaceMatches"][0]["Similarity"] < 80
    many = faces(server, one, photograph("multi_face.jpg"))
    assert many["FaceMatches"] == [] and len(many["UnmatchedFaces"]) > 1
    none = faces(server, one, photograph("free-mountain-vector-01.jpg"))
    assert none["FaceMatches"] == [] and none["UnmatchedFaces"] == []


def test_boto3_receives_the_errors_of_compare_faces(server):
    one = photograph("obama.jpg")

    def refused(code, *pair, **options):
        with pytest.raises(botocore.exceptions.ClientError) as caught:
            faces(server, *pair, **options)
        assert caught.value.response["Error"]["Code"] == code, caught.value.response

    refused("InvalidImageFormatException", b"not a picture", one)
    refused("InvalidImageFormatException", one, b"not a picture")
    refused("ImageTooLargeException", huge_png(8000, 5001), one)
    refused("ImageTooLargeException", one, one + b"\0" * (5 << 20))
    refused("InvalidParameterException", photograph("free-mountain-vector-01.jpg"), one)
    with pytest.raises(botocore.exceptions.ClientError) as caught:
        client(server).compare_faces(
            SourceImage={"S3Object": {"Bucket": "pictures", "Name": "one.jpg"}}, TargetImage={"Bytes": one})
    assert caught.value.response["Error"]["Code"] == "InvalidS3ObjectException"
    # A large body is read for known access keys only.
    unknown = boto3.client(
        "rekognition", aws_access_key_id="AKIAAAAAAAAAAAAAAAAA", aws_secret_access_key="a" * 40, region_name="eu-central-1",
        endpoint_url=f"http://127.0.0.1:{server.port}", config=botocore.config.Config(retries={"max_attempts": 1}))
    with pytest.raises(botocore.exceptions.ClientError) as caught:
        unknown.compare_faces(SourceImage={"Bytes": one + b"\0" * 90_000}, TargetImage={"Bytes": one})
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] in (403, 413), caught.value.response
