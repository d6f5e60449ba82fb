"""Tests of hostile claimed observations."""

from support import footage
from support.checks import observation
from support.replies import conforms, expect


def test_invalid_observations_are_rejected_by_name_and_change_nothing(server):
    check = server.claimed()
    cases = {
        '{"t":NaN}': "bad-json", '{"t":Infinity}': "bad-json", '{"t":-Infinity}': "bad-json", '{"t":1e999}': None,
        '{"t":0,"pose":{"yaw":1e9,"pitch":0,"roll":0}}': "bad-value", '{"t":1e300}': None,
        '{"t":0,"blendshapes":{"jawOpen":1000000000}}': "bad-value", '{"t":0,"yaw":3}': "unknown-key",
        '{"t":0,"blendshapes":{"jawOpenn":0.5}}': "unknown-key", '{"t":0': "bad-json", "[]": "bad-value",
        '{"t":"0"}': None, '{"t":0,"t":1}': None, '{"t":0,"faces":-1}': None, '{"t":0,"box":[0,0,0]}': None,
        '{"t":0}}': "bad-json", "": "bad-json", "\x00": "bad-json", '{"t":0,"box":[[[[[[[[[[[[': "bad-value",
    }
    for line, code in cases.items():
        reply = check.observe(line)
        assert reply.status in (400, 422) and (code is None or reply.code == code), (line, code, reply)
        conforms("Problem", reply.json)
    expect(check.observe(observation(0)), 200)
    expect(check.observe(observation(5000)), 422, "timestamp-out-of-range")
    expect(check.observe(observation(0.5), observation(0.4)), 409, "out-of-order")
    expect(check.observe(*[observation(i / 1000) for i in range(700)]), 413, "body-too-large")
    expect(check.post("observations", b"x", "text/plain"), 415, "unsupported-media-type")
    assert check.result().json["state"] == "open"


def test_claims_and_frames_cannot_be_mixed(server):
    check = server.claimed()
    expect(check.observe(observation(0)), 200)
    expect(check.frame(footage.drawn(70)[60]), 409, "mixed-sources")


def test_poses_beside_frames_are_compared_and_decide_nothing(server):
    check = server.create(sources=["observed", "compared"], challenge="turn-left")
    expect(check.observe(observation(0, yaw=30), Mien_Client="phone-1"), 200)
    for index, picture in enumerate(footage.faces(3)):
        step = expect(check.frame(picture, Mien_Client="phone-1", Mien_Captured_At=f"{index * 100}.0"), 200).json
        assert step["state"] in ("positioning", "instructing"), step
        # A turn that only the device reports changes nothing.
        claims = [observation(index / 10 + number / 100, yaw=9 * number) for number in range(5)]
        assert expect(check.observe(*claims, Mien_Client="phone-1"), 200).json["state"] == step["state"]
    result = expect(check.result(), 200).json
    conforms("Result", result)
    assert (result["state"], result["sources"]) == ("open", ["observed", "compared"]), result
    for wrong in (["compared"], ["claimed", "compared"], ["observed", "claimed", "compared"]):
        expect(server.request("POST", "/v1/checks", {"sources": wrong}, token=server.key), 422, "bad-value")
