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
def kept(request, server):
    """A server on each of the databases that takes no requests without a key."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "postgres":
            patch.setattr(Server, "store", staticmethod(request.getfixturevalue("postgres").of))
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


def test_pages_of_checks_stay_in_place_while_others_are_created(kept):
    tag = f"stable {time.time()}"
    made = [create(kept, reference=tag) for _ in range(7)]
    first = page(kept, "checks", reference=tag, limit=3)
    assert len(first["checks"]) == 3 and first["next"]
    new = [create(kept, reference=tag) for _ in range(4)]
    found, cursor = first["checks"], first["next"]
    while cursor:
        more = page(kept, "checks", reference=tag, limit=3, after=cursor)
        found, cursor = found + more["checks"], more.get("next")
    assert [each["id"] for each in found] == [each["id"] for each in sorted(
        found, key=lambda each: (each["created_at"], each["id"]), reverse=True)]
    assert sorted(each["id"] for each in found) == sorted(made), "each once, and none that was created later"
    assert set(ids(kept, "checks", reference=tag, limit=200)) == {*made, *new}
    assert not kept.request("GET", f"/v1/checks?reference={quote(tag)}&limit=200", token=kept.key).json.get("next")


def test_filters_of_checks_find_exactly_what_matches(kept):
    tag = f"filter-{time.time_ns()}"
    high = create(kept, reference=tag, assurance="high", person=tag)
    basic = create(kept, reference=tag + " b", assurance="basic", person=tag)
    assert ids(kept, "checks", reference=tag) == [high] and ids(kept, "checks", reference=tag + "%") == []
    assert set(ids(kept, "checks", person=tag)) == {high, basic}
    assert ids(kept, "checks", person=tag, assurance="basic") == [basic]
    assert set(ids(kept, "checks", q=tag)) == {high, basic} and ids(kept, "checks", q=basic) == [basic]
    assert set(ids(kept, "checks", person=tag, state="open")) == {high, basic}
    assert ids(kept, "checks", person=tag, state="passed") == []
    (listed,) = page(kept, "checks", q=high)["checks"]
    assert (listed["state"], listed["assurance"], listed["person"], listed["reference"]) == ("open", "high", tag, tag)
    # A check has been created at the time that the list reports, to the millisecond.
    at = listed["created_at"]
    later = (datetime.datetime.fromisoformat(at) + datetime.timedelta(milliseconds=1)).isoformat(timespec="milliseconds")
    assert ids(kept, "checks", reference=tag, created_after=at) == [high] == ids(kept, "checks", reference=tag, created_before=later)
    assert ids(kept, "checks", reference=tag, created_before=at) == [] == ids(kept, "checks", reference=tag, created_after=later)
    assert ids(kept, "checks", reference=tag, created_after="2020-01-01T00:00:00+02:00") == [high], "without fractions"
    expect(kept.request("DELETE", f"/v1/checks/{high}", token=kept.key), 204)
    assert ids(kept, "checks", q=tag) == [basic]


def test_captures_and_messages_are_listed_without_their_contents(kept):
    first, second = post(kept, {"photo": photo(71)}, key=kept.key), post(kept, {"photo": photo(72)}, key=kept.key)
    found = page(kept, "captures", limit=1)
    assert [each["id"] for each in found["captures"]] == [second["id"]]
    assert [each["id"] for each in page(kept, "captures", limit=1, after=found["next"])["captures"]] == [first["id"]]
    (listed,) = found["captures"]
    assert listed["bytes"] == len(photo(72)) and listed["photo_type"] == "image/png" and not listed["is_signed"]
    assert ids(kept, "captures", state="hash-only") == [] == ids(kept, "captures", check="chk_nobody")

    one, two = message(kept), message(kept)
    assert ids(kept, "messages") == [two["id"], one["id"]] == ids(kept, "messages", state="open")
    expect(kept.request("DELETE", f"/v1/messages/{one['id']}", token=one["receipt"]), 204)
    assert ids(kept, "messages", state="deleted") == [one["id"]] and ids(kept, "messages", state="open") == [two["id"]]
    text = kept.request("GET", "/v1/messages", token=kept.key).body.decode()
    assert "receipt" not in text and "smile" not in text and "the text" not in text


def test_hostile_cursors_and_filters_are_refused(kept):
    for kind in LISTS:
        for filters in (
            {"after": "x"}, {"after": "1."}, {"after": "9" * 30 + ".a"}, {"after": "1.' OR 1=1 --"}, {"after": "1.a\0"},
            {"after": "1." + "a" * 65}, {"after": "\u0661.a"}, {"limit": 0}, {"limit": 201}, {"limit": "ten"}, {"limit": -1},
            {"state": "unknown"}, {"state": "open' OR 1=1"}, {"created_after": "yesterday"}, {"created_before": "0"},
            {"created_after": "2026-01-01"}, {"created_after": "9" * 200},
        ):
            page(kept, kind, status=422, code="bad-value", **filters)
        # Cursors that no list returned, but could have: positions before the first and after the last item.
        assert page(kept, kind, after="-9223372036854775808.a") == {kind: []}
        page(kept, kind, after="9223372036854775807.a", limit=200)
    for filters in ({"person": "a b"}, {"person": "x" * 65}, {"reference": "a\0b"}, {"q": "\0"}, {"assurance": "highest"}):
        page(kept, "checks", status=422, code="bad-value", **filters)
    page(kept, "captures", status=422, code="bad-value", check="a b")


def test_lists_need_the_scope_and_show_one_realm(kept):
    sandbox, other = new_key(kept, "--sandbox"), new_key(kept)
    mine, trial = create(kept), create(kept, sandbox)
    own, secret = message(kept), message(kept, sandbox)
    pictures = {key: post(kept, {"photo": photo(73)}, key=key)["id"] for key in (kept.key, sandbox)}
    for key, there, elsewhere in (
        (kept.key, (mine, own["id"], pictures[kept.key]), (trial, secret["id"], pictures[sandbox])),
        # Like single records, lists are those of the realm, for each of its keys.
        (other, (mine, own["id"], pictures[kept.key]), (trial, secret["id"], pictures[sandbox])),
        (sandbox, (trial, secret["id"], pictures[sandbox]), (mine, own["id"], pictures[kept.key])),
    ):
        for kind, one, foreign in zip(("checks", "messages", "captures"), there, elsewhere):
            found = [each["id"] for each in page(kept, kind, key, limit=200)[kind]]
            assert one in found and foreign not in found, (kind, found)
    for kind in LISTS:
        scoped = {scope: expect(kept.request("POST", "/v1/keys", {"scopes": [scope]}, token=kept.key), 201).json["key"]
                  for scope in ("checks", "captures", "messages", "read", "webhooks")}
        for scope, key in scoped.items():
            allowed = scope in (kind, "read")
            page(kept, kind, key, *(() if allowed else (403, "forbidden")))
        expect(kept.request("GET", f"/v1/{kind}"), 401, "unauthorized")


def test_operators_read_all_lists_and_verifiers_those_of_checks_and_captures(kept):
    for name, role in (("anna", "operator"), ("vera", "verifier")):
        users(kept, "add", name, "--role", role, password=PASSWORD)
    anna, vera = Browser(kept, "anna"), Browser(kept, "vera")
    for kind in LISTS:
        expect(anna.request("GET", f"/v1/{kind}", csrf=False), 200)
    for kind in ("checks", "captures"):
        expect(vera.request("GET", f"/v1/{kind}", csrf=False), 200)
    expect(vera.request("GET", "/v1/messages", csrf=False), 403, "forbidden")


def test_lists_need_a_key_on_a_demo_server_too(server):
    for kind in LISTS:
        expect(server.request("GET", f"/v1/{kind}"), 401, "unauthorized")
        expect(server.request("GET", f"/v1/{kind}?limit=1", token=server.key), 200)
