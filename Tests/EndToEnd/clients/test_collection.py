"""Tests of the collection of all API requests: it is complete, and its requests run against a server."""

import json
import re
import subprocess
import sys

import pytest

from support.program import ROOT
from support.replies import DOCUMENT, expect
from support.serving import serving

pytestmark = pytest.mark.without_models
# Operations that need a cookie, those that end what the others need, and those that last or exist only with an option.
LEFT_OUT = {"signIn", "signOut", "whoIsSignedIn", "revokeKey", "watchLists", "securityContact", "appleAppLinks", "androidAppLinks"}


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    path = tmp_path_factory.mktemp("collection") / "mien.json"
    ended = subprocess.run([sys.executable, str(ROOT / "scripts/make-collection"), "-o", str(path)], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return json.loads(path.read_text())


def requests(collection):
    """Returns the items by the operation that their description names."""
    items = [item for folder in collection["item"] for item in folder["item"]]
    return {re.search(r"Operation `(\w+)`", item["request"]["description"])[1]: item for item in items}


def operations():
    return {operation["operationId"]: (method.upper(), path, operation) for path, methods in DOCUMENT["paths"].items()
            for method, operation in methods.items() if method != "parameters"}


def test_every_operation_is_in_the_collection_once(collection):
    assert collection["info"]["schema"].endswith("/v2.1.0/collection.json") and collection["info"]["name"] == "Mien 0.1.0"
    assert sum(len(folder["item"]) for folder in collection["item"]) == len(operations())
    assert requests(collection).keys() == operations().keys()
    variables = {variable["key"] for variable in collection["variable"]}
    for name, item in requests(collection).items():
        method, path, _ = operations()[name]
        request = item["request"]
        assert request["method"] == method and item["name"]
        assert re.sub(r"\{\{?\w+\}?\}", "{}", request["url"]["raw"].split("?")[0].removeprefix("{{server}}")) == re.sub(r"\{\w+\}", "{}", path)
        used = set(re.findall(r"\{\{(\w+)\}\}", json.dumps(item)))
        assert used <= variables, (name, used - variables)
    assert not re.search(r"mien_[A-Za-z0-9]{8}|eyJ", json.dumps(collection)), "the collection contains no keys"


def test_requests_run_in_order_with_the_variables_that_they_set(server, collection):
    with serving(server, "--allow-private-webhooks") as local:
        run_all(local, collection)


def run_all(server, collection):
    values = {variable["key"]: variable["value"] for variable in collection["variable"]} | {"key": server.key, "person": "ada"}
    values["server"] = ""

    def filled(text):
        return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], text)

    statuses = {}
    # Deletions last, so that what they delete exists for the others.
    items = sorted(requests(collection).items(), key=lambda item: item[1]["request"]["method"] == "DELETE")
    for name, item in items:
        request = item["request"]
        body = request.get("body", {})
        needs = set(re.findall(r"\{\{(\w+)\}\}", request["url"]["raw"])) - {"server"}
        if name in LEFT_OUT or body.get("mode") in ("file", "formdata") or not all(values[one] for one in needs):
            continue
        auth = request.get("auth", collection["auth"])
        token = filled(auth["bearer"][0]["value"]) if auth["type"] == "bearer" else None
        headers = {header["key"]: header["value"] for header in request["header"] if not header.get("disabled")}
        # The example's host has no address; nothing listens on this one.
        content = filled(body["raw"]).replace("https://shop.example/", "http://127.0.0.1:9/").encode() if body.get("raw") else None
        reply = server.request(request["method"], filled(request["url"]["raw"]), content, headers, token)
        assert str(reply.status) in operations()[name][2]["responses"], (name, reply)
        statuses[name] = reply.status
        for event in item.get("event", []) if reply.status < 300 else []:
            for variable, member in re.findall(r'set\("(\w+)", reply\.(\w+)\)', "\n".join(event["script"]["exec"])):
                values[variable] = reply.json.get(member, values[variable])
    for name in ("createCheck", "readCheck", "lockMessage", "getMessage", "unlockMessage", "createWebhook", "listWebhooks",
                 "rotateWebhookSecret", "createSubject", "getSubject", "createScan", "getScan", "createKey", "listKeys", "readErrorRates",
                 "eraseCheck", "deleteMessage", "deleteWebhook", "live"):
        assert statuses.get(name, 0) in (200, 201, 202, 204), (name, statuses.get(name))
    expect(server.request("GET", "/v1/checks/" + values["check_id"], token=server.key), 404)
