"""Tests of liveness tasks performed with claimed observations."""

import json
import math
import time

from support import task_observations
from support.checks import Sampling
from support.replies import conforms, expect


def perform(check, performers, rate=15, seconds=180):
    """Sends observations of performers, one per task as the server requests them; returns the last step."""
    began, began_tracking, step = time.monotonic(), None, None
    kinds, sampling = [], Sampling(rate)

    def seen(t):
        pose, coefficients = {"yaw": 0.3 * math.sin(9 * t), "pitch": 0.0, "roll": 0.0}, task_observations.eyes(0.05)
        if began_tracking is not None and t >= began_tracking:
            done = performers[step["task"]["index"]](step, t - began_tracking)
            pose.update({key: value for key, value in done.items() if key in pose})
            coefficients |= done.get("coefficients", {})
        return {"t": round(t, 4), "faces": 1, "box": [0.35, 0.3, 0.3, 0.4], "pose": pose,
                "blendshapes": {"jawOpen": 0.02} | coefficients}

    while time.monotonic() - began < seconds:
        t = time.monotonic() - began
        if not step or step["state"] != "tracking":
            began_tracking = None
        elif began_tracking is None:
            began_tracking = t
        reply = check.observe(*map(seen, sampling.due(t)), Mien_Client="phone-1")
        over = reply.status == 409 and reply.code == "check-ended"
        step = reply.json["step"] if over else expect(reply, 200).json
        conforms("Step", step)
        if step.get("task") and step["task"]["kind"] not in kinds:
            kinds.append(step["task"]["kind"])
        if step["state"] in ("passed", "failed", "timed-out"):
            return step, kinds
        time.sleep(1 / rate)
    raise AssertionError(f"no verdict, last {step}")


def test_tasks_are_requested_in_order_and_pass(server):
    wanted = ["blink", "complete-the-circle", "head-path"]
    check = server.claimed(tasks=[{"kind": kind} for kind in wanted])
    step, kinds = perform(check, [task_observations.Blinker(), task_observations.Circler(), task_observations.Follower()])
    assert step["state"] == "passed" and kinds == wanted, (step, kinds)
    result = check.result().json
    conforms("Result", result)
    assert result["challenge"] == "tasks" and result["tasks"] == wanted and result["source"] == "claimed", result
    assert [finding["check"] for finding in result["findings"]][-3:] == wanted, result


def test_questions_are_answered_and_a_wrong_answer_is_explained(server):
    questions = {"Are you here?": True, "Is it raining inside?": False}
    asked = [{"question": text, "answer": answer, "error_message": f"Think again: {text}"} for text, answer in questions.items()]
    check = server.claimed(tasks=[{"kind": "yes-or-no", "questions": asked}])
    step, _ = perform(check, [task_observations.Answerer(questions)])
    assert step["state"] == "passed", step
    check = server.claimed(tasks=[{"kind": "yes-or-no", "questions": asked}])
    step, _ = perform(check, [task_observations.Answerer({text: not answer for text, answer in questions.items()})])
    assert (step["state"], step["reason"]) == ("failed", "wrong-answer"), step
    assert step["task"]["prompt"]["error"].startswith("Think again: "), step


def test_path_of_another_session_does_not_pass(server):
    class Replay(task_observations.Follower):
        def __call__(self, step, t):
            goal = [0.7, -0.7] if int(t) % 2 else [-0.7, 0.7]
            return super().__call__({"task": {"prompt": {"target": goal}}}, t) if t > 1.2 else {}

    check = server.claimed(tasks=[{"kind": "head-path"}])
    step, _ = perform(check, [Replay()])
    assert step["state"] in ("failed", "timed-out"), step


def test_tasks_continue_with_the_same_path_after_sigkill(server):
    check = server.create(tasks=[{"kind": "head-turn"}, {"kind": "motions", "difficulty": "hard"}])
    before = check.result().json
    server.kill()
    server.start()
    after = check.result().json
    assert before == after and after["tasks"] == ["head-turn", "motions"], (before, after)


def test_the_assurance_determines_the_tasks(server):
    for body in ({}, {"tasks": []}, {"person": "ada", "depth": True}, {"assurance": "standard"}):
        made = server.create(**body).result().json
        conforms("Result", made)
        assert (made["challenge"], made["assurance"], made["tasks"]) == ("tasks", "standard", ["head-path"]), (body, made)
        assert made["bits_of_choice"] >= 13, made
    made = server.create(assurance="high").result().json
    assert (made["assurance"], made["tasks"]) == ("high", ["head-path", "motions"]), made
    assert made["bits_of_choice"] >= 30, made
    made = server.create(assurance="basic").result().json
    assert made["challenge"] in ("turn-left", "turn-right") and "tasks" not in made, made
    assert (made["assurance"], made["bits_of_choice"]) == ("basic", 1), made
    demo = expect(server.request("POST", "/v1/demo/checks", {}), 201).json["id"]
    assert server.request("GET", f"/v1/checks/{demo}", token=server.key).json["assurance"] == "standard"


def test_requested_tasks_decide_and_must_reach_a_requested_assurance(server):
    named = server.create(tasks=[{"kind": "head-turn"}]).result().json
    assert named["tasks"] == ["head-turn"] and named["bits_of_choice"] == 1 and "assurance" not in named, named
    fixed = server.create(challenge="turn-left").result().json
    assert fixed["bits_of_choice"] == 0 and "assurance" not in fixed, fixed
    strong = server.create(tasks=[{"kind": "head-path"}, {"kind": "motions", "difficulty": "hard"}], assurance="high")
    assert strong.result().json["bits_of_choice"] == 38.5, strong.result()
    for body in ({"tasks": [{"kind": "blink"}], "assurance": "standard"}, {"challenge": "turn-left", "assurance": "basic"},
                 {"tasks": [{"kind": "head-path", "difficulty": "hard"}], "assurance": "high"}):
        refused = expect(server.request("POST", "/v1/checks", body, token=server.key), 422, "bad-value")
        assert "bits of choice" in refused.json["detail"], refused
    for level in ("strong", "", "Standard"):
        expect(server.request("POST", "/v1/checks", {"assurance": level}, token=server.key), 422, "bad-value")
    expect(server.request("POST", "/v1/checks", {"assurance": 2}, token=server.key), 400, "bad-json")


def test_depth_alone_does_not_pass_a_check_of_standard_assurance(server):
    for level in ("standard", "high"):
        body = {"sources": ["observed", "depth"], "assurance": level}
        refused = expect(server.request("POST", "/v1/checks", body, token=server.key), 422, "bad-value")
        assert "without any task" in refused.json["detail"], refused
    expect(server.request("POST", "/v1/checks", {**body, "assurance": "basic"}, token=server.key), 201)


def test_abilities_replace_impossible_tasks(server):
    cases = [
        (["eyelids", "mouth", "sight"], ["head-turn", "head-path"], ["motions", "motions"]),
        (["neck", "mouth", "sight"], ["blink", "head-path"], ["motions", "head-path"]),
        (["neck", "eyelids", "mouth"], ["complete-the-circle", "head-path"], ["complete-the-circle", "motions"]),
        (["neck", "eyelids", "mouth", "sight"], ["blink"], ["blink"]),
    ]
    for abilities, wanted, asked in cases:
        check = server.create(tasks=[{"kind": kind} for kind in wanted], abilities=abilities)
        assert check.result().json["tasks"] == asked, (abilities, check.result().json)
    # The tasks of a level have accessible alternatives of at least its strength.
    for able in (["eyelids"], ["mouth"], ["neck"]):
        for level, bits in (("basic", 1), ("standard", 13), ("high", 30)):
            made = server.create(assurance=level, abilities=able).result().json
            assert made["bits_of_choice"] >= bits, made
            assert made.get("tasks") == ["motions"] or (level, able) == ("basic", ["neck"]), made
    demo = server.request("POST", "/v1/demo/checks", {"abilities": ["eyelids", "mouth"]})
    assert demo.status == 201, demo
    kinds = server.request("GET", "/v1/checks/" + demo.json["id"], token=server.key).json["tasks"]
    assert kinds == ["motions"], kinds
    for abilities, code in ((["wings"], "bad-value"), (["neck", "neck"], "bad-value"), ([], "bad-value"),
                            (["sight"], "bad-value"), ("neck", "bad-json"), ([1], "bad-json")):
        for path, token in (("/v1/checks", server.key), ("/v1/demo/checks", None)):
            reply = server.request("POST", path, {"abilities": abilities}, token=token)
            assert reply.status in (400, 422), (abilities, reply)
            assert reply.code == code, (abilities, reply)
            conforms("Problem", reply.json)
    expect(server.request("POST", "/v1/demo/checks", {"tasks": []}), 400, "unknown-key")


def test_retry_keeps_the_abilities(server):
    check = server.claimed(tasks=[{"kind": "head-path"}], abilities=["eyelids", "mouth", "sight"], attempts=2)
    began, step, kinds = time.monotonic(), None, {}
    while time.monotonic() - began < 120 and len(kinds) < 2:
        t = round(time.monotonic() - began, 4)
        # Sitting still fails the first attempt.
        face = {"pose": {"yaw": 0.3 * math.sin(9 * t), "pitch": 0.0, "roll": 0.0}, "box": [0.35, 0.3, 0.3, 0.4],
                "blendshapes": {"jawOpen": 0.02} | task_observations.eyes(0.05)}
        step = expect(check.observe({"t": t, "faces": 1, **face}, Mien_Client="phone-1"), 200).json
        if step["state"] == "tracking" and step.get("task"):
            kinds[step["attempt"]["number"]] = step["task"]["kind"]
        time.sleep(1 / 15)
    assert kinds == {1: "motions", 2: "motions"}, (kinds, step)


def test_rejects_impossible_tasks(server):
    cases = [
        ([{"kind": "smile"}], 422), ([{}], 400), ([{"kind": "blink", "max_blinks": -1}], 422), ("blink", 400),
        ([{"kind": "blink", "max_blinks": 10 ** 9}], 422), ([{"kind": "blink", "max_blinks": 0}], 422),
        ([{"kind": "motions", "max_nods": 21}], 422), ([{"kind": "blink", "max_nods": 1}], 422),
        ([{"kind": "yes-or-no"}], 422), ([{"kind": "yes-or-no", "questions": []}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "", "answer": True}]}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "x" * 201, "answer": True}]}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "a", "answer": True}] * 21}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "a", "answer": "yes"}]}], 400),
        ([{"kind": "blink", "timeout": 0}], 422), ([{"kind": "blink", "timeout": 2 ** 62}], 422),
        ([{"kind": "blink", "timeout": -5}], 422), ([{"kind": "blink", "difficulty": "cruel"}], 422),
        ([{"kind": "blink", "speed": 2}], 400), ([{"kind": "blink"}] * 9, 422),
    ]
    for body, status in cases:
        reply = server.request("POST", "/v1/checks", json.dumps({"tasks": body}), {"Content-Type": "application/json"},
                               server.key)
        assert reply.status == status, (body, status, reply)
        conforms("Problem", reply.json)
    reply = server.request("POST", "/v1/checks", json.dumps({"tasks": [], "challenge": "turn-left"}),
                           {"Content-Type": "application/json"}, server.key)
    expect(reply, 422, "bad-value")
