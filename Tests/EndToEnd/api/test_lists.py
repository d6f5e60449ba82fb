"""Tests of the lists of checks, captures and messages: pages, filters, cursors, and who may read them."""

import datetime
import time
from urllib.parse import quote, urlencode

import pytest

from api.test_accounts import PASSWORD, Browser, users
from support.capture_files import photo
from support.captures import post
from support.replies import conforms, expect
from support.server import Server
from support.serving import new_key, serving

pytestmark = pytest.mark.without_models

LISTS = {"checks": "CheckList", "captures": "CaptureList", "messages": "MessageList"}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def own_server(request, server):
    """A server on each of the databases that takes no requests without a key."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "postgres":
            patch.setattr(Server, "store", staticmethod(request.getfixturevalue("postgres").url_for))
        with serving(server, "--no-demo") as other:
            yield other


def page(server, kind, key=None, status=200, code=None, **filters):
    reply = server.request("GET", f"/v1/{kind}?{urlencode(filters, quote_via=quote)}", token=key or server.key)
    expect(reply, status, code)
    if status == 200:
        conforms(LISTS[kind], reply.json)
    return reply.json


def ids(server, kind, **filters):
    return [each["id"] for each in page(server, kind, **filters)[kind]]


def create(server, key=None, **options):
    return expect(server.request("POST", "/v1/checks", options, token=key or server.key), 201).json["id"]


def message(server, key=None):
    body = {"text": "the text", "steps": ["smile", "wink_r", "smooch"]}
    return expect(server.request("POST", "/v1/messages", body, token=key or server.key), 201).json


def test_pages_of_checks_stay_in_place_while_others_are_created(own_server):
    tag = f"stable {time.time()}"
    made = [create(own_server, reference=tag) for _ in range(7)]
    first = page(own_server, "checks", reference=tag, limit=3)
    assert len(first["checks"]) == 3 and first["next"]
    new = [create(own_server, reference=tag) for _ in range(4)]
    found, cursor = first["checks"], first["next"]
    while cursor:
        more = page(own_server, "checks", reference=tag, limit=3, after=cursor)
        found, cursor = found + more["checks"], more.get("next")
    assert [each["id"] for each in found] == [each["id"] for each in sorted(
        found, key=lambda each: (each["created_at"], each["id"]), reverse=True)]
    assert sorted(each["id"] for each in found) == sorted(made), "each once, and none that was created later"
    assert set(ids(own_server, "checks", reference=tag, limit=200)) == {*made, *new}
    assert not own_server.request("GET", f"/v1/checks?reference={quote(tag)}&limit=200", token=own_server.key).json.get("next")


def test_filters_of_checks_find_exactly_what_matches(own_server):
    tag = f"filter-{time.time_ns()}"
    high = create(own_server, reference=tag, assurance="high", person=tag)
    basic = create(own_server, reference=tag + " b", assurance="basic", person=tag)
    assert ids(own_server, "checks", reference=tag) == [high] and ids(own_server, "checks", reference=tag + "%") == []
    assert set(ids(own_server, "checks", person=tag)) == {high, basic}
    assert ids(own_server, "checks", person=tag, assurance="basic") == [basic]
    assert set(ids(own_server, "checks", q=tag)) == {high, basic} and ids(own_server, "checks", q=basic) == [basic]
    assert set(ids(own_server, "checks", person=tag, state="open")) == {high, basic}
    assert ids(own_server, "checks", person=tag, state="passed") == []
    (listed,) = page(own_server, "checks", q=high)["checks"]
    assert (listed["state"], listed["assurance"], listed["person"], listed["reference"]) == ("open", "high", tag, tag)
    # A check has been created at the time that the list reports, to the millisecond.
    at = listed["created_at"]
    later = (datetime.datetime.fromisoformat(at) + datetime.timedelta(milliseconds=1)).isoformat(timespec="milliseconds")
    assert ids(own_server, "checks", reference=tag, created_after=at) == [high]
    assert ids(own_server, "checks", reference=tag, created_before=later) == [high]
    assert ids(own_server, "checks", reference=tag, created_before=at) == []
    assert ids(own_server, "checks", reference=tag, created_after=later) == []
    assert ids(own_server, "checks", reference=tag, created_after="2020-01-01T00:00:00+02:00") == [high], "without fractions"
    expect(own_server.request("DELETE", f"/v1/checks/{high}", token=own_server.key), 204)
    assert ids(own_server, "checks", q=tag) == [basic]


def test_captures_and_messages_are_listed_without_their_contents(own_server):
    first, second = post(own_server, {"photo": photo(71)}, key=own_server.key), post(own_server, {"photo": photo(72)}, key=own_server.key)
    found = page(own_server, "captures", limit=1)
    assert [each["id"] for each in found["captures"]] == [second["id"]]
    assert [each["id"] for each in page(own_server, "captures", limit=1, after=found["next"])["captures"]] == [first["id"]]
    (listed,) = found["captures"]
    assert listed["bytes"] == len(photo(72)) and listed["photo_type"] == "image/png" and not listed["is_signed"]
    assert ids(own_server, "captures", state="hash-only") == [] == ids(own_server, "captures", check="chk_nobody")

    one, two = message(own_server), message(own_server)
    assert ids(own_server, "messages") == [two["id"], one["id"]] == ids(own_server, "messages", state="open")
    expect(own_server.request("DELETE", f"/v1/messages/{one['id']}", token=one["receipt"]), 204)
    assert ids(own_server, "messages", state="deleted") == [one["id"]] and ids(own_server, "messages", state="open") == [two["id"]]
    text = own_server.request("GET", "/v1/messages", token=own_server.key).body.decode()
    assert "receipt" not in text and "smile" not in text and "the text" not in text


def test_hostile_cursors_and_filters_are_refused(own_server):
    for kind in LISTS:
        for filters in (
            {"after": "x"}, {"after": "1."}, {"after": "9" * 30 + ".a"}, {"after": "1.' OR 1=1 --"}, {"after": "1.a\0"},
            {"after": "1." + "a" * 65}, {"after": "\u0661.a"}, {"limit": 0}, {"limit": 201}, {"limit": "ten"}, {"limit": -1},
            {"state": "unknown"}, {"state": "open' OR 1=1"}, {"created_after": "yesterday"}, {"created_before": "0"},
            {"created_after": "2026-01-01"}, {"created_after": "9" * 200},
        ):
            page(own_server, kind, status=422, code="bad-value", **filters)
        # Cursors that no list returned, but could have: positions before the first and after the last item.
        assert page(own_server, kind, after="-9223372036854775808.a") == {kind: []}
        page(own_server, kind, after="9223372036854775807.a", limit=200)
    for filters in ({"person": "a b"}, {"person": "x" * 65}, {"reference": "a\0b"}, {"q": "\0"}, {"assurance": "highest"}):
        page(own_server, "checks", status=422, code="bad-value", **filters)
    page(own_server, "captures", status=422, code="bad-value", check="a b")


def test_lists_need_the_scope_and_show_one_realm(own_server):
    sandbox, other = new_key(own_server, "--sandbox"), new_key(own_server)
    mine, trial = create(own_server), create(own_server, sandbox)
    own, secret = message(own_server), message(own_server, sandbox)
    pictures = {key: post(own_server, {"photo": photo(73)}, key=key)["id"] for key in (own_server.key, sandbox)}
    for key, there, elsewhere in (
        (own_server.key, (mine, own["id"], pictures[own_server.key]), (trial, secret["id"], pictures[sandbox])),
        # Like single records, lists are those of the realm, for each of its keys.
        (other, (mine, own["id"], pictures[own_server.key]), (trial, secret["id"], pictures[sandbox])),
        (sandbox, (trial, secret["id"], pictures[sandbox]), (mine, own["id"], pictures[own_server.key])),
    ):
        for kind, one, foreign in zip(("checks", "messages", "captures"), there, elsewhere):
            found = [each["id"] for each in page(own_server, kind, key, limit=200)[kind]]
            assert one in found and foreign not in found, (kind, found)
    for kind in LISTS:
        scoped = {scope: expect(own_server.request("POST", "/v1/keys", {"scopes": [scope]}, token=own_server.key), 201).json["key"]
                  for scope in ("checks", "captures", "messages", "read", "webhooks")}
        for scope, key in scoped.items():
            allowed = scope in (kind, "read")
            page(own_server, kind, key, *(() if allowed else (403, "forbidden")))
        expect(own_server.request("GET", f"/v1/{kind}"), 401, "unauthorized")


def test_operators_read_all_lists_and_verifiers_those_of_checks_and_captures(own_server):
    for name, role in (("anna", "operator"), ("vera", "verifier")):
        users(own_server, "add", name, "--role", role, password=PASSWORD)
    anna, vera = Browser(own_server, "anna"), Browser(own_server, "vera")
    for kind in LISTS:
        expect(anna.request("GET", f"/v1/{kind}", csrf=False), 200)
    for kind in ("checks", "captures"):
        expect(vera.request("GET", f"/v1/{kind}", csrf=False), 200)
    expect(vera.request("GET", "/v1/messages", csrf=False), 403, "forbidden")


def test_lists_need_a_key_on_a_demo_server_too(server):
    for kind in LISTS:
        expect(server.request("GET", f"/v1/{kind}"), 401, "unauthorized")
        expect(server.request("GET", f"/v1/{kind}?limit=1", token=server.key), 200)
