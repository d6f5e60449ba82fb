"""Tests of the Python package itself: its wheel, what was generated, and that it covers the API document."""

import ast
import inspect
import json
import os
import subprocess
import sys
import typing
import zipfile

from clients.conftest import SOURCES
from support.replies import DOCUMENT

PACKAGE = SOURCES / "src/mien_client"

# Operations without a method, and why.
LEFT_OUT = {
    "createDemoCheck": "for the pages of a demo server; backends call createCheck",
    "readCheckPage": "for the page of a check; backends call readCheck",
    "exchangeCheckSecret": "for the page of a check, opened from a QR code",
    "uploadScan": "a form in one request; upload_scan sends the same files in resumable pieces",
    "uploadOptions": "discovery of tus extensions, which upload_file does not need",
    "createUpload": "create_scan returns an upload for each file",
    "eraseUpload": "deleting the scan deletes its uploads",
    "signIn": "sessions of the web pages, with cookies",
    "signOut": "sessions of the web pages, with cookies",
    "whoIsSignedIn": "sessions of the web pages, with cookies",
    "watchLists": "a stream for lists on a screen; backends use webhooks",
    "securityContact": "a file for people who report vulnerabilities",
    "appleAppLinks": "a file for iOS",
    "androidAppLinks": "a file for Android",
}
# Parameters of a request that a method sets itself, or that have another name there.
OWN = {
    "eraseCheck": {"Prefer"}, "erasePerson": {"Prefer"}, "deleteTemplate": {"Prefer"}, "getUpload": {"Tus-Resumable"},
    "takeUpload": {"Tus-Resumable", "Upload-Offset", "Upload-Checksum"}, "getScanFile": {"Range"}, "getScanResult": {"Range"},
    "postFrame": {"Mien-Frame"}, "postPerformanceFrame": {"Mien-Frame"},
}


def operations():
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield operation["operationId"], {**operation, "parameters": [
                    *operation.get("parameters", []), *methods.get("parameters", [])]}


def calls():
    """Returns the names of the methods that send each operation, from the source of the client."""
    (client,) = [node for node in ast.parse((PACKAGE / "_async.py").read_text()).body if isinstance(node, ast.ClassDef)]
    known, found = {name for name, _ in operations()}, {}
    for method in client.body:
        for node in ast.walk(method):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant) and node.args[0].value in known:
                found.setdefault(node.args[0].value, set()).add(method.name)
    return found


def test_every_operation_has_a_method_or_a_reason():
    known, sent = {name for name, _ in operations()}, set(calls())
    assert known - sent - set(LEFT_OUT) == set(), "add a method, or a reason to LEFT_OUT"
    assert sent & set(LEFT_OUT) == set() and set(LEFT_OUT) <= known, "LEFT_OUT is out of date"


def test_methods_take_every_member_of_their_requests(mien_client):
    wrong = []
    for name, operation in operations():
        methods = [method for method in calls().get(name, ()) if not method.startswith("_")]
        accepted = {parameter for method in methods for parameter in inspect.signature(getattr(mien_client.Mien, method)).parameters}
        wanted = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] != "path"} - OWN.get(name, set())
        for body in operation.get("requestBody", {}).get("content", {}).values():
            schema = body.get("schema", {})
            if "$ref" in schema:
                schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
            if schema.get("type") == "object" and name not in ("postObservations", "postPerformanceObservations"):
                wanted |= set(schema["properties"])
        names = {"Mien-Client": "client", "Mien-Captured-At": "captured_at", "Idempotency-Key": "idempotency_key"}
        missing = {names.get(one, one) for one in wanted} - accepted
        if name not in LEFT_OUT and methods and missing:
            wrong.append((name, sorted(missing)))
    assert wrong == []


def test_generated_modules_are_up_to_date():
    ended = subprocess.run([sys.executable, str(SOURCES / "generate"), "--check"], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr


def test_wheel_is_complete(installation, mien_client):
    with zipfile.ZipFile(installation.wheel) as wheel:
        names = {name.rpartition("/")[2] for name in wheel.namelist()}
        (metadata,) = [name for name in wheel.namelist() if name.endswith("/METADATA")]
        text = wheel.read(metadata).decode()
    assert {"py.typed", "LICENSE", *(path.name for path in PACKAGE.glob("*.py"))} <= names
    assert "Requires-Python: >=3.9" in text and "License-Expression: Apache-2.0" in text
    assert [line for line in text.split("\n") if line.startswith("Requires-Dist")] == [
        "Requires-Dist: httpx >=0.25,<1", 'Requires-Dist: cryptography >=42 ; extra == "verify"'], text
    assert f"Version: {mien_client.__version__}\n" in text
    assert mien_client.__version__ == json.loads(json.dumps(DOCUMENT["info"]["version"]))


def test_package_runs_on_the_oldest_python_it_declares():
    """The syntax is that of Python 3.9, and newer names of the standard library are not used."""
    for path in PACKAGE.glob("*.py"):
        tree = ast.parse(path.read_text(), feature_version=(3, 9))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "typing"
                    for alias in node.names}
        assert not imported & {"NotRequired", "Required", "Self", "TypeAlias", "ParamSpec", "TypeGuard", "Never", "Unpack"}, path
        assert not any(isinstance(node, ast.Match) for node in ast.walk(tree)), path
        eager = [node for node in tree.body if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp)]
        assert path.name != "types.py" or not eager, "unions of types.py are evaluated"


def test_annotations_resolve_and_both_clients_have_the_same_methods(mien_client):
    names = {**vars(typing), "t": mien_client.types, "os": os}
    methods = {}
    for client in (mien_client.Mien, mien_client.AsyncMien):
        found = {name: member for name, member in vars(client).items() if inspect.isfunction(member) and not name.startswith("_")}
        for name, method in found.items():
            hints = typing.get_type_hints(method, localns=names)
            assert set(hints) == {*inspect.signature(method).parameters, "return"} - {"self"}, name
            assert method.__doc__, f"{name} is not documented"
        methods[client.__name__] = {name.replace("aclose", "close") for name in found}
    assert methods["Mien"] == methods["AsyncMien"] and len(methods["Mien"]) > 70
    for name in mien_client.types.__all__:
        found = getattr(mien_client.types, name)
        if isinstance(found, type) and found.__module__ == mien_client.types.__name__:
            typing.get_type_hints(found)
