"""Tests of creating checks, and of requests after the verdict."""

from support import depth, footage
from support.checks import DEPTH, claim_turn, observation
from support.replies import conforms, expect
from support.server import Server


def test_check_is_created_and_read(server):
    check = server.create(challenge="turn-left", reference="order 42")
    conforms("CreatedCheck", check.created)
    result = expect(check.result(), 200).json
    conforms("Result", result)
    assert result["state"] == "open" and result["challenge"] == "turn-left" and result["reference"] == "order 42"


def test_server_chooses_both_sides(server):
    with_turns = Server(server.binary, arguments=["--default-assurance", "basic"], loads_models=False)
    try:
        sides = {with_turns.create().result().json["challenge"] for _ in range(40)}
        assert sides == {"turn-left", "turn-right"}, sides
    finally:
        with_turns.clean()


def test_rejects_undocumented_members_and_values(server):
    post = lambda body, **h: server.request("POST", "/v1/checks", body, h.pop("headers", None), h.get("token", server.key))
    expect(post({}, token="mien_wrong"), 401, "unauthorized")
    expect(server.request("POST", "/v1/checks", {}), 401, "unauthorized")
    reply = expect(post({"chalenge": "turn-left"}), 400, "unknown-key")
    assert "chalenge" in reply.json["detail"] and "challenge" in reply.json["detail"]
    expect(post({"challenge": "nod"}), 422, "bad-value")
    expect(post({"challenge": 7}), 400, "bad-json")
    expect(post({"person": "../etc"}), 422, "bad-value")
    expect(post({"reference": "x" * 129}), 422, "bad-value")
    json_type = {"Content-Type": "application/json"}
    for body in (b"{", b"nope", b"\xff\xfe", b"[]", b'{"depth": NaN}'):
        expect(post(body, headers=json_type), 400, "bad-json")
    expect(post(b"<x/>", headers={"Content-Type": "text/xml"}), 415, "unsupported-media-type")
    expect(post(b"{" + b" " * (6 << 20) + b"}", headers=json_type), 413, "body-too-large")


def test_requests_after_the_verdict_change_nothing(server):
    check = server.claimed(challenge="turn-right", depth=True)
    last = claim_turn(check, "turn-left")[-1]

    def result():
        # ES256 signatures are randomized: only the signed payload is the same each time.
        return {name: value.rpartition(".")[0] if name == "signed" else value for name, value in check.result().json.items()}

    before = result()
    for late in (check.frame(footage.drawn(80)[75]), check.observe(observation(60)), check.post("depth", depth.head(2), DEPTH),
                 check.frame(b"no picture"), check.frame(footage.drawn(80)[76], Mien_Client="somebody-else")):
        expect(late, 409, "check-ended")
        conforms("Step", late.json["step"])
        assert (late.json["step"]["state"], late.json["step"]["reason"]) == ("failed", "wrong-direction"), late
    assert last["state"] == "failed" and result() == before
    expect(check.frame(footage.drawn(80)[77], token="mt_" + "B" * 43), 401, "unauthorized")
