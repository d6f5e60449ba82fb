"""Tests of bursts and clips that are sent with captures."""

import pytest

from support.capture_files import Phone, all_parts, encode_video, photo, planes, sha
from support.captures import await_analysis, check_nothing_stored, checks, lines, post
from support.replies import expect

pytestmark = pytest.mark.without_models


def test_burst_distinguishes_a_scene_from_a_moving_plane(server):
    scene, plane = planes(near=1), planes()
    for frames, result in ((scene, "genuine"), (plane, "undecided")):
        seen = await_analysis(server, post(server, {"photo": frames[-1], "burst": frames, "metadata": {
            "burst_times": [33 * number for number in range(len(frames))]}}))
        burst = seen["results"]["burst"]
        assert checks(seen)["parallax"]["result"] == result, (burst, checks(seen)["parallax"])
        assert burst["frames"] == len(frames) and abs(burst["seconds"] - 0.165) < 1e-9, burst
        assert seen["results"]["cross_validation"]["temporal_consistency"]["frames"] == 3, seen["results"]["cross_validation"]
        assert [frame["sha256"] for frame in seen["burst"]["frames"]] == [sha(frame) for frame in frames]
        assert seen["burst"]["sha256"] == sha(frames)
        for frame, sent in zip(seen["burst"]["frames"], frames):
            reply = expect(server.request("GET", frame["url"]), 200)
            assert reply.body == sent and reply.headers["content-type"] == "image/jpeg"
        for number in ("6", "-1", "x", "99999999999999999999"):
            expect(server.request("GET", f"/v1/captures/{seen['id']}/parts/burst/{number}"), 404)


def test_static_camera_and_short_burst_give_no_answer(server):
    frame = planes(1)[0]
    for frames, reason in (([frame] * 4, "camera-did-not-move"), ([frame] * 2, "too-few-frames")):
        seen = await_analysis(server, post(server, {"photo": frame, "burst": frames}))
        assert checks(seen)["parallax"].get("reason") == reason, checks(seen)["parallax"]
    seen = await_analysis(server, post(server, {"photo": frame, "burst": [frame, frame, b"\xff\xd8\xff" + b"\0" * 50]}))
    assert checks(seen)["flicker"]["reason"] == "unreadable" and "burst" not in seen["results"], seen["results"]


def test_accepts_a_burst_of_the_maximum_length(server):
    frames = planes(8) * 3
    seen = await_analysis(server, post(server, {**all_parts(54), "burst": frames}))
    assert seen["results"]["burst"]["frames"] == 24 and len(seen["burst"]["frames"]) == 24, seen["results"]["burst"]


def test_clip_is_analyzed_like_a_burst(server):
    frames = planes(12, near=1)
    for kind in ("mp4", "webm"):
        clip = encode_video(frames, kind)
        seen = await_analysis(server, post(server, {"photo": frames[-1], "clip": clip}))
        assert seen["clip"]["type"] == "video/" + kind and seen["clip"]["sha256"] == sha(clip) and "burst" not in seen
        burst = seen["results"]["burst"]
        assert burst["frames"] == 12 and abs(burst["seconds"] - 11 / 15) < 0.01, burst
        assert checks(seen)["parallax"]["result"] == "genuine", checks(seen)["parallax"]
        reply = expect(server.request("GET", seen["clip"]["url"]), 200)
        assert reply.body == clip and reply.headers["content-type"] == "video/" + kind
    for broken in (clip[:40], b"\x1a\x45\xdf\xa3" + b"\0" * 500, b"\0\0\0\x18ftypisom" + b"\xff" * 500):
        seen = await_analysis(server, post(server, {"photo": frames[0], "clip": broken}))
        assert checks(seen)["parallax"]["reason"] == "unreadable", checks(seen)


def test_burst_and_clip_are_signed_as_separate_parts(server):
    phone, frames = Phone(server), planes(4)
    clip = encode_video(frames)
    for parts in ({"burst": frames}, {"clip": clip}):
        signed = phone.sign({"photo": frames[0], **parts})
        reported = lines(post(server, signed))
        assert reported["integrity"][0] == "pass" and reported["signer"][0] == "pass", reported
        name = next(iter(parts))
        for other in ({"burst": frames[:3]}, {"burst": frames[::-1]}, {"clip": clip + b"x"}):
            swapped = {key: value for key, value in signed.items() if key != name} | other
            reported = lines(post(server, swapped))
            changed = [f"{part}-changed" for part in ("burst", "clip") if part in (name, *other)]
            assert reported["integrity"][1][:len(changed)] == changed, (changed, reported)
    # The boundaries between images of a burst are signed, too.
    two = [frames[0], frames[1] + frames[2]]
    signed = phone.sign({"photo": frames[0], "burst": two})
    reported = lines(post(server, {**signed, "burst": [frames[0], frames[1], frames[2]]}))
    assert reported["integrity"][:1] == ("fail",) and reported["integrity"][1][0] == "burst-changed", reported
    bare = phone.sign({"photo": photo(51)})
    reported = lines(post(server, {**bare, "burst": frames}))
    assert reported["integrity"] == ("fail", ["burst-changed"]), "added to a capture that was signed without"
    signature = phone.sign({"photo": photo(52), "burst": frames})["signature"]
    reported = lines(post(server, {"digests": {"photo": sha(photo(52)), "burst": sha(frames)}, "signature": signature}))
    assert reported["integrity"][0] == "pass", reported


def test_rejected_bursts_and_clips_leave_nothing(server):
    frames, picture = planes(3), photo(53)
    clip = b"\0\0\0\x18ftypisom"
    for parts, status, code in (
            ([("burst", frames[0])] * 25, 400, "bad-form"),
            ([("burst", picture)], 422, "not-an-image"),
            ([("burst", frames[0]), ("burst", b"")], 422, "not-an-image"),
            ([("burst", frames[0]), ("burst", b"\xff\xd8\xff" + b"\0" * (5 << 20))], 413, "body-too-large"),
            ([("burst", b"\xff\xd8\xff" + b"\0" * 4_000_000)] * 9, 413, "body-too-large"),
            ([("burst", frames[0]), ("clip", clip)], 422, "bad-value"),
            ([("clip", b"RIFFxxxxAVI ")], 422, "bad-value"),
            ([("clip", clip), ("clip", clip)], 400, "bad-form"),
            ([("clip", clip + b"\0" * (33 << 20))], 413, "body-too-large"),
            ([("burst", frames[0]), ("metadata", {"burst_times": [1, 2]})], 422, "bad-value"),
            ([("burst", frames[0]), ("burst", frames[1]), ("metadata", {"burst_times": [2, 1]})], 400, "bad-json"),
            ([("burst", frames[0]), ("burst", frames[1]), ("metadata", {"burst_times": [0, 60_001]})], 400, "bad-json"),
            ([("metadata", {"burst_times": "now"})], 400, "bad-json")):
        found = {}
        check_nothing_stored(server, lambda: found.update(post(server, [("photo", picture), *parts], status)))
        assert found["code"] == code, (code, found)
