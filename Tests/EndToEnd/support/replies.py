"""Assertions about replies of the HTTP API: statuses, problem codes, and the schemas of the OpenAPI document."""

import functools
import json
import re

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from support.program import ROOT


def expect(reply, status, code=None):
    assert reply.status == status, f"expected {status} {code}, got {reply}"
    if code:
        assert reply.headers["content-type"] == "application/problem+json", reply.headers
        assert reply.code == code, f"expected {code}, got {reply}"
        conforms("Problem", reply.json)
        assert reply.json["status"] == status and len(reply.json["detail"]) > 10
    return reply


def expect_problem(reply):
    """Checks that the reply is a problem with any documented code."""
    assert reply.headers["content-type"] == "application/problem+json", reply
    conforms("Problem", reply.json)
    return reply


DOCUMENT = json.loads((ROOT / "Web/openapi.json").read_text())


@functools.cache
def validator(schema):
    """Returns a cached validator per schema; `jsonschema.validate` would build one for each value."""
    return Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": DOCUMENT["components"]})


def conforms(schema, value):
    wrong = best_match(validator(schema).iter_errors(value))
    if wrong is not None:
        raise wrong


def holds_nothing_private(text):
    """Checks that a server's output has no token, no secret, no receipt and no measure of a face."""
    found = re.search(r"eyJ|mien_|rcp_|yaw|pitch|blend|wink|smooch", text)
    assert not found, text[max(0, found.start() - 200):found.end() + 200]
