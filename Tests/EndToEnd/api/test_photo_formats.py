"""Tests of captures and verified files in the formats of phones."""

import cv2
import numpy as np
import pytest

from support import photo_formats
from support.capture_files import depth
from support.captures import await_analysis, checks, post, verify
from support.replies import expect

pytestmark = pytest.mark.without_models


def scene(seed=3, width=640, height=512):
    """Returns an image of circles, tones and grain."""
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), (130, 110, 90), np.uint8)
    for _ in range(60):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.circle(picture, at, int(rng.integers(5, 60)), rng.integers(0, 256, 3).tolist(), -1, cv2.LINE_AA)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 1) + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("kind", ["heic", "avif", "webp"])
def test_photos_of_phones_are_captures(server, kind):
    picture = photo_formats.convert(cv2.imencode(".png", scene())[1].tobytes(), kind)
    seen = await_analysis(server, post(server, {"photo": picture}))
    assert seen["photo"]["type"] == f"image/{kind}" and seen["results"]["status"] == "complete", seen
    assert {"moire", "texture", "bezel"} <= {name for name, check in checks(seen).items() if "native" in check}, seen
    reply = expect(server.request("GET", seen["photo"]["url"]), 200)
    assert reply.body == picture and reply.headers["content-type"] == f"image/{kind}"
    assert verify(server, picture)["captures"] == [seen["id"]]
    unknown = verify(server, photo_formats.convert(cv2.imencode(".png", scene(4))[1].tobytes(), kind))
    assert unknown["file"] == "unknown" and unknown["results"]["status"] == "complete", unknown


def test_the_depth_map_in_a_photo_is_judged_unless_one_is_sent(server):
    picture = photo_formats.portrait(scene())
    seen = await_analysis(server, post(server, {"photo": picture}))
    assert seen["results"]["depth"]["source"] == "embedded" and checks(seen)["depth"]["result"] == "genuine", seen
    seen = await_analysis(server, post(server, {"photo": picture, "depth_map": depth(80, 64)}))
    assert seen["results"]["depth"]["source"] == "sent", seen["results"]["depth"]
    seen = await_analysis(server, post(server, {"photo": picture, "depth_map": b"no depth map"}))
    assert checks(seen)["depth"]["reason"] == "unreadable", checks(seen)["depth"]


def test_other_formats_are_refused_with_their_name(server):
    for data, word in ((b"II*\0\x08\0\0\0" + bytes(20), "TIFF"), (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom" + bytes(20), "RAW"),
                       (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(20), "video")):
        refused = post(server, {"photo": data}, 422)
        assert refused["code"] == "not-an-image" and word in refused["detail"] and "JPEG" in refused["detail"], refused
        assert refused["detail"].startswith('"photo": '), refused
        unknown = expect(server.request("POST", "/v1/verify-file", data, {"Content-Type": "application/octet-stream"}), 422).json
        assert unknown["code"] == "not-an-image" and word in unknown["detail"] and "JPEG" in unknown["detail"], unknown
    heic = photo_formats.convert(cv2.imencode(".png", scene())[1].tobytes(), "heic")
    assert post(server, {"photo": cv2.imencode(".png", scene())[1].tobytes(), "clip": heic}, 422)["code"] == "bad-value"
