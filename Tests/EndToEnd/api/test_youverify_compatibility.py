"""Tests of the Youverify-compatible API with the vendor's own example: its ApiClient is extracted from the vendor's page, given
another address, compiled and run.
"""

import json
import os
import re
import subprocess
import tempfile

import pytest

from support import footage
from support.checks import keys, observation
from support.replies import expect
from support.server import Check, Server

pytestmark = pytest.mark.without_models
GENERATE, TOKEN = "/v2/api/identity/sdk/session/generate", "/v2/api/identity/sdk/liveness/token"
# Parts that the page omits: the reply types and a main program.
AROUND = """
struct SessionIdResponse: Codable { struct Data: Codable { let sessionId: String }; let data: Data }
struct AuthTokenResponse: Codable { struct Data: Codable { let authToken: String }; let data: Data }
let key = CommandLine.arguments[1]
ApiClient.shared.generateSessionId(publicMerchantID: "merchant-1", apiToken: key) { session in
  guard case .success(let id) = session else { print("session failed: \\(session)"); exit(1) }
  ApiClient.shared.generateSessionToken(publicMerchantID: "merchant-1", deviceCorrelationId: id, apiToken: key) { token in
    guard case .success(let token) = token else { print("token failed: \\(token)"); exit(2) }
    print(id, token)
    exit(0)
  }
}
RunLoop.main.run()
"""


def post(server, path, body, token="key", **headers):
    key = server.key if token == "key" else token
    return server.request("POST", path, body, {**({"Token": key} if key else {}), **headers})


def generate(server, **more):
    reply = post(server, GENERATE, {"publicMerchantID": "merchant-1", "metadata": {}, **more})
    return expect(reply, 200).json["data"]["sessionId"]


def check_error(reply, status, key):
    assert reply.status == status and reply.headers["content-type"] == "application/json", reply
    body = reply.json
    assert body["success"] is False and body["statusCode"] == status and "data" not in body, body
    assert body["error"]["key"] == key and len(body["error"]["message"]) > 10 and body["message"], body
    return body


def test_vendor_client_gets_both_tokens_and_claims_are_rejected(server):
    seeds = footage.shared() / "seeds" if footage.shared() else None
    pages = list(seeds.glob("003_*.txt")) if seeds and seeds.is_dir() else []
    if not pages:
        pytest.skip("shared/seeds not found")
    blocks = re.findall(r"```swift\n(.*?)```", pages[0].read_text(), re.S)
    client = next(b for b in blocks if "class ApiClient" in b and "func generateSessionToken" in b)
    assert client.count("https://api.sandbox.youverify.co") == 2
    client = client.replace("https://api.sandbox.youverify.co", f"http://127.0.0.1:{server.port}")
    with tempfile.TemporaryDirectory(prefix="mien-vendor-") as folder:
        source, program = os.path.join(folder, "main.swift"), os.path.join(folder, "vendor")
        with open(source, "w") as out:
            out.write("import Foundation\n#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n" + client + AROUND)
        subprocess.run(["swiftc", "-swift-version", "5", "-suppress-warnings", source, "-o", program], check=True, timeout=300)
        out = subprocess.run([program, server.key], capture_output=True, text=True, timeout=300)
        assert out.returncode == 0, out.stdout + out.stderr
        wrong = subprocess.run([program, "mien_wrong"], capture_output=True, text=True, timeout=300)
        assert wrong.returncode == 1, wrong.stdout
    id, token = out.stdout.split()
    check = Check(server, {"id": id, "token": token})
    result = expect(check.result(), 200).json
    assert (result["sources"], result["assurance"], result["tasks"]) == (["observed"], "standard", ["head-path"]), result
    # Sessions do not accept client observations, even on a server that allows them for other checks.
    for second in range(3):
        expect(check.observe(observation(second)), 403, "source-not-allowed")


def test_token_is_repeated_while_the_session_is_open(server):
    id = generate(server)
    body = {"publicMerchantID": "merchant-1", "deviceCorrelationId": id}
    tokens = {post(server, TOKEN, body).json["data"]["authToken"].rpartition(".")[0] for _ in range(3)}
    assert len(tokens) == 1 and generate(server) != id, tokens
    expect(server.request("DELETE", f"/v1/checks/{id}", token=server.key), 204)
    check_error(post(server, TOKEN, body), 404, "invalid_or_expired_session")


def test_metadata_becomes_the_checks_reference(server):
    id = generate(server, metadata={"order": 42, "name": "Ünï/1"})
    result = server.request("GET", f"/v1/checks/{id}", token=server.key).json
    assert json.loads(result["reference"]) == {"order": 42, "name": "Ünï/1"}, result
    assert "reference" not in server.request("GET", f"/v1/checks/{generate(server)}", token=server.key).json


def open_session(server, **more):
    """Generates a session and returns its check with the token."""
    id = generate(server, **more)
    reply = expect(post(server, TOKEN, {"publicMerchantID": "merchant-1", "deviceCorrelationId": id}), 200)
    return Check(server, {"id": id, "token": reply.json["data"]["authToken"]})


def choose(check, tasks, token=None):
    return check.server.request("POST", f"/v1/checks/{check.id}/tasks", {"tasks": tasks}, token=token or check.token)


def test_backend_chooses_the_tasks_with_either_spelling(server):
    question = {"question": "Is it day?", "answer": True, "errorMessage": "Look outside"}
    for tasks, kinds in (([{"kind": "blink", "max_blinks": 2}], ["blink"]),
                         ([{"id": "completeTheCircle", "difficulty": "easy"}, {"id": "yesOrNo", "questions": [question]},
                           {"id": "motions", "maxNods": 1, "maxBlinks": 1, "timeout": 30_000}],
                          ["complete-the-circle", "yes-or-no", "motions"])):
        check = open_session(server, tasks=tasks)
        assert check.result().json["tasks"] == kinds
        # The app may name the same tasks, in the spelling of the API, and no others.
        expect(choose(check, [{"kind": "head-turn"}]), 403, "forbidden")
        assert check.result().json["tasks"] == kinds
    expect(choose(open_session(server, tasks=[{"kind": "blink", "max_blinks": 2}]), [{"kind": "blink", "max_blinks": 2}]), 204)
    for absurd in ([], "blink", [7], [{"kind": "dance"}], [{"kind": "blink", "stray": 1}], [{"kind": "blink", "timeout": "long"}]):
        body = {"publicMerchantID": "m", "tasks": absurd}
        status = 400 if absurd and isinstance(absurd[0], dict) and "stray" in absurd[0] else 422
        check_error(post(server, GENERATE, body), status, "API_ERROR")


def test_app_chooses_the_tasks_if_the_backend_does_not(server):
    # Frames need models, unlike everything else here.
    server = Server(server.binary, loads_models=True)
    try:
        check = open_session(server)
        assert check.result().json["tasks"] == ["head-path"], "those of the default level until the app chooses"
        circle = [{"kind": "complete-the-circle", "difficulty": "medium"}]
        for token in ("mt_wrong", open_session(server).token):
            expect(choose(check, circle, token), 401, "unauthorized")
        expect(choose(check, []), 422, "bad-value")
        expect(choose(check, [{"kind": "dance"}]), 422, "bad-value")
        expect(server.request("POST", f"/v1/checks/{check.id}/tasks", {"tasks": circle, "stray": 1}, token=check.token), 400, "unknown-key")
        for tasks in ([{"kind": "head-turn"}], circle, circle):
            expect(choose(check, tasks), 204)
            assert check.result().json["tasks"] == [task["kind"] for task in tasks]
        step = expect(check.frame(footage.drawn()[0], Mien_Client="app"), 200).json
        assert step["state"] == "positioning"
        expect(choose(check, circle), 204)
        expect(choose(check, [{"kind": "head-turn"}]), 403, "forbidden")
        assert check.result().json["tasks"] == ["complete-the-circle"]
        expect(choose(server.create(tasks=circle), [{"kind": "head-turn"}]), 403, "forbidden")
    finally:
        server.clean()


def test_expired_foreign_and_missing_sessions_are_rejected_alike(server):
    short = Server(server.binary, arguments=["--lifetime", "1"])
    try:
        import time
        id = generate(short)
        time.sleep(1.1)
        check_error(post(short, TOKEN, {"publicMerchantID": "m", "deviceCorrelationId": id}), 404, "invalid_or_expired_session")
    finally:
        short.clean()
    reported = [check_error(post(server, TOKEN, {"publicMerchantID": "m", "deviceCorrelationId": other}), 404, "invalid_or_expired_session")
            for other in ("a-device", "../../etc/passwd", server.create().id, "00000000-0000-4000-8000-000000000000")]
    assert all(body == reported[0] for body in reported), "a check of /v1 is indistinguishable from a missing one"


def test_sandbox_is_separate(server):
    trial = keys(server, "api", "--sandbox")["api_key"]
    id = expect(post(server, GENERATE, {"publicMerchantID": "m", "metadata": {}}, trial), 200).json["data"]["sessionId"]
    body = {"publicMerchantID": "m", "deviceCorrelationId": id}
    check_error(post(server, TOKEN, body), 404, "invalid_or_expired_session")
    token = expect(post(server, TOKEN, body, trial), 200).json["data"]["authToken"]
    expect(Check(server, {"id": id, "token": token}).observe(observation(0)), 403, "source-not-allowed")
    expect(server.request("GET", f"/v1/checks/{id}", token=trial), 200)
    expect(server.request("GET", f"/v1/checks/{id}", token=server.key), 404, "not-found")


def test_undocumented_requests_are_rejected_in_the_vendors_format(server):
    good = {"publicMerchantID": "m", "metadata": {}}
    for token in (None, "", "mien_wrong", "x" * 5000):
        check_error(post(server, GENERATE, good, token), 401, "session_token_error")
        check_error(post(server, TOKEN, {"publicMerchantID": "m", "deviceCorrelationId": "x"}, token), 401, "session_token_error")
    check_error(server.request("POST", GENERATE, good, token=server.key), 401, "session_token_error")
    # A key in the Token header is refused beside another credential in the Authorization header.
    narrow = keys(server, "api", "--scope", "read")["api_key"]
    for body, path in ((good, GENERATE), ({"publicMerchantID": "m", "deviceCorrelationId": "x"}, TOKEN)):
        check_error(post(server, path, body, narrow), 403, "API_ERROR")
        for bearer in ("x", server.key, narrow):
            for token in (narrow, server.key):
                check_error(post(server, path, body, token, Authorization=f"Bearer {bearer}"), 401, "session_token_error")
        check_error(post(server, path, body, "mien_session_" + "x" * 43), 401, "session_token_error")
    for body, status in ((b"{", 400), (b"[]", 400), (b"\xff", 400), (b"", 400), (b'{"a":' * 5000, 400),
                         ({**good, "stray": 1}, 400), ({"metadata": {}}, 422), ({"publicMerchantID": 7}, 422),
                         ({"publicMerchantID": ""}, 422), ({"publicMerchantID": "m" * 129}, 422), ({**good, "metadata": []}, 422),
                         ({**good, "metadata": {"x": "y" * 200}}, 422), (b" " * 70_000, 413)):
        headers = {"Content-Type": "application/json"} if isinstance(body, bytes) else {}
        check_error(post(server, GENERATE, body, **headers), status, "API_ERROR")
    check_error(post(server, GENERATE, b"{}", **{"Content-Type": "text/plain"}), 415, "API_ERROR")


def test_logs_contain_no_secrets_and_no_session_ids(server):
    text = "".join(server.lines)
    assert "eyJ" not in text and "mien_" not in text and not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", text), text[:500]
