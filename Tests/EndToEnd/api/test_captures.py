"""Tests of creating and reading captures, and of their claims."""

import time

import pytest

from support.capture_files import DETECTION, PARTS, Phone, all_parts, depth, depth_frame, photo, sha
from support.captures import await_analysis, checks, files, lines, post
from support.replies import expect

pytestmark = pytest.mark.without_models


def test_photo_alone_is_a_capture(server):
    picture = photo(2)
    taken = post(server, {"photo": picture})
    assert taken["photo"]["sha256"] == sha(picture) and taken["photo"]["bytes"] == len(picture), taken
    assert taken["photo"]["type"] == "image/png" and taken["page"] == "/verify/" + taken["id"]
    seen = await_analysis(server, taken)
    reported = lines(seen)
    assert reported["integrity"] == ("not-checked", ["not-signed"]), reported
    assert reported["signer"][0] == "not-checked" and reported["device"][0] == "not-checked"
    assert reported["time"] == ("unavailable", ["no-time"]) and reported["place"] == ("unavailable", ["no-place"])
    assert reported["claims"] == ("not-checked", ["no-claims"])
    assert reported["scene"][0] in ("pass", "fail", "unavailable"), reported
    assert not any(status == "fail" for name, (status, _) in reported.items() if name != "scene"), "untrusted is not tampered"
    reply = expect(server.request("GET", seen["photo"]["url"]), 200)
    assert reply.body == picture and reply.headers["content-type"] == "image/png"


def test_every_combination_of_optional_parts_is_accepted(server):
    parts = all_parts(3)
    for chosen in range(8):
        names = ["photo"] + [name for bit, name in enumerate(PARTS[1:]) if chosen >> bit & 1]
        seen = await_analysis(server, post(server, {name: parts[name] for name in names}))
        reported = lines(seen)
        assert ("depth_map" in seen) == ("depth_map" in names)
        assert ("claimed" in seen) == ("metadata" in names or "detection" in names), names
        assert (reported["time"][0] == "not-checked") == ("metadata" in names), reported
        assert (reported["place"] == ("not-checked", ["place-claimed"])) == ("metadata" in names), reported
        assert any(drawing["kind"] == "depth" for drawing in seen["visualizations"]) == ("depth_map" in names), seen["visualizations"]
        for drawing in seen["visualizations"]:
            reply = expect(server.request("GET", drawing["url"]), 200)
            assert reply.headers["content-type"] == "image/png" and reply.body.startswith(b"\x89PNG")
        for name in PARTS:
            status = 200 if name in names else 404
            reply = expect(server.request("GET", f"/v1/captures/{seen['id']}/parts/{name}"), status)
            assert status == 404 or reply.body == parts[name]
        if "detection" in names:
            assert seen["claimed"]["detection"]["aggregated"]["confidence_level"] == "high"


def test_reads_both_kinds_of_depth_maps_and_reports_unreadable_ones(server):
    for seed, (map_, readable) in enumerate((
            (depth(), True), (depth_frame(), True), (b"MDF1", False), (b"\0" * 100, False), (photo(4), False)), 5):
        seen = await_analysis(server, post(server, {"photo": photo(seed), "depth_map": map_}))
        assert any(drawing["kind"] == "depth" for drawing in seen["visualizations"]) == readable, (seed, seen["visualizations"])
        reading = [check for check in seen["results"]["checks"] if check["check"] == "depth"]
        assert readable or reading[0]["reason"] == "unreadable", reading


def test_accepts_parts_in_any_order(server):
    parts = Phone(server).sign(all_parts(11))
    for order in (list(parts), list(parts)[::-1]):
        reported = lines(post(server, [(name, parts[name]) for name in order]))
        assert reported["integrity"][0] == "pass" and reported["signer"][0] == "pass", reported


def test_capture_id_suffices_to_read_and_cannot_be_guessed(server):
    taken = post(server, {"photo": photo(12)})
    assert len(taken["id"]) == 36
    for other in (taken["id"][:-1] + ("A" if taken["id"][-1] != "A" else "B"), "cap_", "x", "..%2Fmien.sqlite", taken["id"] + "x"):
        expect(server.request("GET", "/v1/captures/" + other), 404)
    expect(server.request("GET", f"/v1/captures/{taken['id']}/parts/signature"), 404)
    expect(server.request("GET", f"/v1/captures/{taken['id']}/visualizations/nothing"), 404)


def test_claims_are_stored_beside_the_findings(server):
    claimed = {**DETECTION, "moire": {**DETECTION["moire"], "detected": True}, "aggregated": {
        **DETECTION["aggregated_confidence"], "confidence_level": "suspicious"}}
    del claimed["aggregated_confidence"]
    seen = await_analysis(server, post(server, {"photo": photo(31), "detection": claimed, "metadata": {
        "detection_available": True, "detection_confidence_level": "very_high"}}))
    reported = lines(seen)
    assert seen["claimed"]["detection"]["moire"]["detected"] is True
    assert reported["claims"] == ("fail", ["claims-differ"]), (reported, seen["disagreements"])
    assert {"subject": "detection", "claimed": "very_high", "found": "suspicious"} in seen["disagreements"]
    # A claim can only disagree with a check that the server itself decided.
    if checks(seen)["moire"]["result"] == "genuine":
        assert {"subject": "moire", "claimed": "true", "found": "false"} in seen["disagreements"]


def test_future_time_fails_and_old_time_is_only_claimed(server):
    now = int(time.time() * 1000)
    for offset, status in ((3_600_000, "fail"), (60_000, "not-checked"), (-86_400_000, "not-checked")):
        reported = lines(post(server, {"photo": photo(32), "metadata": {"captured_at_ms": now + offset}}))
        assert reported["time"][0] == status, (offset, reported)


def test_hash_only_captures_upload_no_image(server):
    parts = all_parts(33)
    picture = parts.pop("photo")
    map_ = parts.pop("depth_map")
    phone = Phone(server)
    signature = phone.sign({**parts, "photo": picture, "depth_map": map_})["signature"]
    digests = {"photo": sha(picture), "depth_map": sha(map_)}
    before = files(server)
    seen = expect(server.request("GET", "/v1/captures/" + post(
        server, {**parts, "digests": digests, "signature": signature})["id"]), 200).json
    reported = lines(seen)
    assert files(server) == before and seen["state"] == "hash-only" and "url" not in seen["photo"]
    assert reported["integrity"][0] == "pass" and reported["scene"] == ("not-checked", ["no-picture"]), reported
    assert reported["claims"] == ("not-checked", ["no-picture"]) and "results" not in seen
    found = expect(server.request("POST", "/v1/verify-file", picture, {"Content-Type": "image/png"}), 200).json
    assert found["captures"] == [seen["id"]], "who has the picture finds it"
