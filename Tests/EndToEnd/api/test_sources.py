"""Tests of the data sources that a check accepts: attacks without a camera must be refused, with and without the option that
permits client observations.
"""

import base64
import json

import pytest

from support import depth, footage
from support.checks import DEPTH, claim_turn, enroll, observation
from support.replies import conforms, expect
from support.server import Check, Server

pytestmark = pytest.mark.without_models


def default_server(server):
    """Starts a server with default options."""
    return Server(server.binary, claims=False, loads_models=False)


# ── without a camera ──────────────────────────────────────────────────────────────────────────────────────────────────

def test_default_server_decides_no_check_on_claims(server):
    own = default_server(server)
    try:
        for body in ({}, {"person": "ada"}, {"tasks": []}, {"tasks": [{"kind": "head-path", "difficulty": "hard"}]},
                     {"challenge": "turn-left"}, {"audit_images": 2, "clip": True}, {"depth": True, "person": "ada"}):
            check = own.create(**body)
            for second in range(4):
                refused = expect(check.observe(observation(second), Mien_Client="x"), 403, "source-not-allowed")
                assert "--allow-claimed-observations" in refused.json["detail"], refused
            result = expect(check.result(), 200).json
            conforms("Result", result)
            assert (result["state"], result["sources"]) == ("open", ["observed"]), result
    finally:
        own.clean()


def test_default_server_creates_no_check_for_claims(server):
    own = default_server(server)
    try:
        for sources in (["claimed"], ["observed", "claimed"], ["observed", "depth"]):
            refused = expect(own.request("POST", "/v1/checks", {"sources": sources}, token=own.key), 403, "source-not-allowed")
            assert "--allow-claimed-observations" in refused.json["detail"], refused
            conforms("Problem", refused.json)
        expect(own.request("POST", "/v1/checks", {"sources": ["observed"]}, token=own.key), 201)
    finally:
        own.clean()


def test_claims_need_permission_of_server_and_check(server):
    plain = server.create(challenge="turn-left")
    expect(plain.observe(observation(0)), 403, "source-not-allowed")
    demo = expect(server.request("POST", "/v1/demo/checks", {}), 201).json
    expect(Check(server, demo).observe(observation(0)), 403, "source-not-allowed")
    expect(server.request("POST", "/v1/demo/checks", {"sources": ["claimed"]}), 400, "unknown-key")
    claims = server.create(sources=["claimed"])
    expect(claims.observe(observation(0)), 200)
    only = server.create(sources=["claimed"])
    expect(only.frame(footage.drawn(50)[49]), 403, "source-not-allowed")
    # The server's current option decides, even for checks created earlier.
    own = Server(server.binary, loads_models=False)
    try:
        early = own.claimed(challenge="turn-left")
        expect(early.observe(observation(0)), 200)
        own.kill()
        own.arguments.remove("--allow-claimed-observations")
        own.start()
        expect(early.observe(observation(0.1)), 403, "source-not-allowed")
    finally:
        own.clean()


def test_rejects_contradictory_sources(server):
    for sources, status in (([], 422), (["frames"], 422), (["claimed", "claimed"], 422), (["depth"], 422), ("claimed", 400),
                            ([1], 400), (["OBSERVED"], 422)):
        reply = server.request("POST", "/v1/checks", {"sources": sources}, token=server.key)
        assert reply.status == status, (sources, reply)
        conforms("Problem", reply.json)
    for body in ({"audit_images": 1}, {"audit_images": 0}, {"clip": True}):
        for sources in (["claimed"], ["observed", "claimed"], ["observed", "depth"]):
            refused = server.request("POST", "/v1/checks", {"sources": sources, **body}, token=server.key)
            expect(refused, 422, "bad-value")
            assert "need frames" in refused.json["detail"], refused


def test_depth_alone_passes_only_if_requested(server):
    expect(enroll(server, "ada", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.create(person="ada", depth=True)
    for seed in range(20, 24):
        step = expect(check.post("depth", depth.head(seed), DEPTH, Mien_Client="phone-1"), 200).json
        assert step["state"] in ("positioning", "depth"), step
    assert check.result().json["state"] == "open"
    asked = server.gated(person="ada")
    steps = [expect(asked.post("depth", depth.head(seed), DEPTH, Mien_Client="phone-1"), 200).json for seed in range(30, 33)]
    assert steps[-1]["state"] == "passed", steps
    result = asked.result().json
    assert (result["source"], result["basis"]) == ("claimed", "depth"), result


def test_passing_the_depth_gate_does_not_replace_the_tasks_by_default(server):
    expect(enroll(server, "grace", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.claimed(person="grace", depth=True, challenge="turn-left")
    for seed in range(40, 43):
        expect(check.post("depth", depth.head(seed), DEPTH, Mien_Client="phone-1"), 200)
    assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
    result = check.result().json
    found = {finding["check"]: finding["result"] for finding in result["findings"]}
    assert found["depth-gate"] == found["head-turn"] == "genuine", result
    assert (result["source"], result["basis"]) == ("claimed", "claimed"), result


# ── reporting ─────────────────────────────────────────────────────────────────────────────────────────────────────────

def test_source_is_part_of_the_result_and_its_signature(server):
    check = server.claimed(challenge="turn-left")
    assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
    result = check.result().json
    conforms("Result", result)
    payload = result["signed"].split(".")[1]
    signed = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    for reported in (result, signed):
        assert (reported["source"], reported["basis"]) == ("claimed", "claimed"), reported
    assert result["sources"] == ["observed", "claimed"], result
    late = server.create(challenge="turn-left")
    assert "basis" not in late.result().json, "nothing is decided yet"
