"""Tests of the hand-over of a check to a browser: whole addresses, addresses to lead back to, and what the page may know."""

import base64
import json

import pytest

from support.checks import claim_turn
from support.replies import conforms, expect
from support.server import Check, Server

pytestmark = pytest.mark.without_models
SHOP = "https://shop.example"


@pytest.fixture(scope="module")
def shop(binary):
    server = Server(binary, arguments=["--return-origin", SHOP, "--public-url", "https://check.example"])
    yield server
    server.clean()


def create(server, **options):
    return server.request("POST", "/v1/checks", options, token=server.key)


def page_of(server, check, token=None):
    return server.request("GET", f"/v1/checks/{check['id']}/page", token=token or check["token"])


def test_return_url_needs_an_allowed_origin(server, shop):
    for url in [SHOP, SHOP + "/orders/7?step=2"]:
        check = expect(create(shop, return_url=url), 201).json
        reply = expect(page_of(shop, check), 200)
        conforms("CheckPage", reply.json)
        assert reply.json == {"state": "waiting", "return_url": url, "public_url": "https://check.example"}
        expect(create(server, return_url=url), 403, "forbidden")
    for url in ["https://evil.example/", SHOP + ".evil.example", SHOP + "@evil.example", "/back", "javascript:alert(1)", ""]:
        expect(create(shop, return_url=url), 403, "forbidden")
    for url in [SHOP + "/#part", SHOP + "/ ", SHOP + "/\\\\evil", SHOP + "/" + "a" * 1024]:
        expect(create(shop, return_url=url), 422, "bad-value")


def test_page_is_a_whole_address_if_the_server_knows_its_own(server, shop):
    assert expect(create(server), 201).json["page"].startswith("/check#id=")
    check = expect(create(shop), 201).json
    assert check["page"] == f"https://check.example/check#id={check['id']}&token={check['token']}"
    demo = expect(shop.request("POST", "/v1/demo/checks", {}), 201).json
    assert demo["page"].startswith("https://check.example/check#id=")


def test_the_secret_of_a_token_is_exchanged_for_the_token(server):
    check, other = [expect(create(server), 201).json for _ in range(2)]
    secret = json.loads(base64.urlsafe_b64decode(check["token"].split(".")[1] + "=="))["jti"]

    def exchange(bearer, id=check["id"]):
        return server.request("POST", f"/v1/checks/{id}/token", token=bearer)

    reply = expect(exchange(secret), 200)
    conforms("CreatedCheck", reply.json)
    # The signature is random; everything else is the same.
    assert {**reply.json, "token": "", "page": ""} == {**check, "token": "", "page": ""}
    assert reply.json["token"].split(".")[:2] == check["token"].split(".")[:2]
    assert expect(page_of(server, reply.json), 200).json == {"state": "waiting"}
    for bearer in [None, "wrong", secret[:-1], server.key, check["token"]]:
        expect(exchange(bearer), 401)
    expect(exchange(secret, other["id"]), 401)
    expect(exchange(secret, "chk_" + "a" * 32), 401)


def test_the_page_learns_the_state_with_the_token_of_the_check(server):
    check, other = [expect(create(server, challenge="turn-left", sources=["claimed"]), 201).json for _ in range(2)]
    for token in [other["token"], server.key, "wrong"]:
        expect(page_of(server, check, token), 401)
    assert expect(page_of(server, check), 200).json == {"state": "waiting"}
    seen = []
    claim_turn(Check(server, check), "turn-left", after_reply=lambda: seen.append(expect(page_of(server, check), 200).json))
    for each in seen:
        conforms("CheckPage", each)
    running = [each for each in seen if each["state"] == "running"]
    assert running[0] == {"state": "running", "progress": 0, "task": {"index": 0, "count": 1}}
    assert any(0 < each["progress"] < 1 for each in running), running
    assert seen[-1]["state"] == "passed"
    reply = expect(page_of(server, check), 200)
    conforms("CheckPage", reply.json)
    assert reply.json == {"state": "passed"}
    assert expect(page_of(server, other), 200).json == {"state": "waiting"}
