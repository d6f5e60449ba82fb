"""Tests of depth enrollment and the depth gate."""

from support import depth
from support.checks import DEPTH, claim_turn, enroll
from support.replies import conforms, expect, expect_problem


def gate_and_turn(check):
    """Returns the result of a decided check and its findings by name."""
    result = expect(check.result(), 200).json
    conforms("Result", result)
    return result, {finding["check"]: finding for finding in result["findings"]}


def test_enrollment_accepts_heads_and_rejects_others(server):
    heads = [depth.head(seed) for seed in range(4)]
    expect(enroll(server, "nobody", *heads, token=False), 401, "unauthorized")
    expect(enroll(server, "nobody", *heads, type="image/png"), 415, "unsupported-media-type")
    expect(enroll(server, "no%20body", *heads), 422, "bad-value")
    for frames, reason in ((heads[:2], "too-few-captures"), ([depth.board(seed) for seed in range(3)], "not-a-face"),
                           ([*heads, depth.board(9)], "not-a-face")):
        assert reason in expect(enroll(server, "nobody", *frames), 422, "not-assessed").json["detail"]
    for body in (b"", b"MDF1", heads[0][:-1], heads[0] + b"x", b"MDF2" + heads[0][4:]):
        assert 400 <= expect_problem(enroll(server, "nobody", body)).status < 500
    first = expect(enroll(server, "grace", *heads), 201).json
    conforms("Enrollment", first)
    assert (first["person"], first["version"], first["captures"]) == ("grace", 1, 4), first
    assert expect(enroll(server, "grace", *heads), 201).json["version"] == 2


def test_face_in_space_passes_the_depth_gate(server):
    expect(enroll(server, "ada", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.gated(person="ada", depth=True)
    steps = []
    for seed in range(20, 23):
        steps.append(expect(check.post("depth", depth.head(seed), DEPTH, Mien_Client="phone-1"), 200).json)
        conforms("Step", steps[-1])
    assert [step["state"] for step in steps] == ["positioning", "positioning", "passed"], steps
    result, found = gate_and_turn(check)
    assert result["state"] == "passed" and found["depth-gate"]["result"] == "genuine", result
    # The server saw no image: the verdict rests on the device's data.
    assert (result["source"], result["basis"], result["frames"]) == ("claimed", "depth", 0), result
    assert found["depth-gate"]["native"] > 1 and found["depth-gate"]["score"] > 0.5, found
    over = expect(check.post("depth", depth.head(23), DEPTH, Mien_Client="phone-1"), 409, "check-ended")
    assert over.json["step"]["state"] == "passed"
    # An accepted check updates the thresholds, which became the person's second version; this enrollment is the third.
    assert expect(enroll(server, "ada", *[depth.head(seed) for seed in range(4)]), 201).json["version"] == 3


def test_depth_gate_can_be_a_task(server):
    expect(enroll(server, "grace", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.gated(person="grace", tasks=[{"kind": "depth-gate"}, {"kind": "blink"}])
    assert check.result().json["tasks"] == ["blink"]
    states = [expect(check.post("depth", depth.head(seed), DEPTH), 200).json["state"] for seed in range(40, 43)]
    assert states[-1] == "passed", states
    alone = server.create(person="grace", tasks=[{"kind": "depth-gate"}])
    assert alone.result().json["tasks"] == ["head-path"], "the tasks of the default assurance decide"
    for wrong in ([{"kind": "blink"}, {"kind": "depth-gate"}], [{"kind": "depth-gate"}] * 2,
                  [{"kind": "depth-gate", "difficulty": "easy"}], [{"kind": "depth-gate", "max_blinks": 1}]):
        expect(server.request("POST", "/v1/checks", {"tasks": wrong}, token=server.key), 422, "bad-value")


def test_repeated_depth_frame_does_not_count(server):
    expect(enroll(server, "ida", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.create(person="ida", depth=True)
    frame = depth.head(30)
    for _ in range(6):
        assert expect(check.post("depth", frame, DEPTH), 200).json["state"] == "positioning"


def test_flat_board_does_not_pass_the_gate_and_the_turn_decides(server):
    expect(enroll(server, "eve", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.gated(person="eve", depth=True, challenge="turn-left")
    for seed in range(4):
        step = expect(check.post("depth", depth.board(seed, tilt=(0.05 * seed, 0)), DEPTH, Mien_Client="phone-1"), 200).json
        assert step["state"] == "positioning" and step["side"] is None, step
    steps = claim_turn(check, "turn-left")
    assert steps[-1]["state"] == "passed" and "depth" in {step["state"] for step in steps}, steps[-1]
    result, found = gate_and_turn(check)
    assert (found["depth-gate"]["result"], found["depth-gate"]["reason"]) == ("suspect", "flat"), found
    assert found["depth-gate"]["score"] < 0.1 and found["head-turn"]["result"] == "genuine", found


def test_without_enrollment_the_gate_is_not_assessed_and_the_turn_decides(server):
    check = server.gated(person="unregistered", depth=True, challenge="turn-right")
    expect(check.post("depth", depth.head(1), DEPTH, Mien_Client="phone-1"), 200)
    assert claim_turn(check, "turn-right")[-1]["state"] == "passed"
    result, found = gate_and_turn(check)
    assert (found["depth-gate"]["result"], found["depth-gate"]["reason"]) == ("not-assessed", "not-enrolled"), found
    assert found["depth-gate"].get("score") is None and found["head-turn"]["result"] == "genuine", found
    plain = server.create()
    expect(plain.post("depth", depth.head(1), DEPTH), 422, "bad-value")
