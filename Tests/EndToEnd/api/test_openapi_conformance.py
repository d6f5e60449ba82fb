"""Tests the running server against the OpenAPI document with schemathesis: valid and invalid requests for every operation.

Every reply must be documented, match its schema and not be a server error. The requests use a key with all scopes.
"""

import os
import re
import subprocess
import sys

from support.program import ROOT
from support.server import Server

# Rejection of invalid requests is not checked: check characters of message IDs, calendar dates and image data cannot be expressed
# in a schema, and tus requires 412 where schemathesis expects 400.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance",
]
# Revoking the key used by this run would end it, and a stream of events ends after a minute only.
EXCLUDED = r"^/v1/keys/\{id\}|^/v1/events$"


def test_every_operation_replies_as_documented(binary, request, tmp_path):
    server = Server(binary, arguments=["--message-limit", "100000", "--passive", "off"])
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "schemathesis.cli", "run", str(ROOT / "Web/openapi.json"), "--url", f"http://127.0.0.1:{server.port}",
             "-H", f"Authorization: Bearer {server.key}", "--exclude-path-regex", EXCLUDED,
             "--phases", "examples,coverage,fuzzing,stateful", "--checks", ",".join(CHECKS),
             "-n", str(request.config.getoption("examples")), "--max-failures", "100", "--seed", "20260101",
             "--generation-database", "none", "--no-color", "--request-timeout", "60"],
            cwd=tmp_path, capture_output=True, text=True, timeout=1500,
            env={**os.environ, "SCHEMATHESIS_HOOKS": "support.schemathesis_hooks", "PYTHONPATH": str(ROOT / "Tests/EndToEnd")})
        assert server.process.poll() is None, "the server ended during the run"
    finally:
        server.clean()
    text = ran.stdout + ran.stderr
    operations, cases = re.search(r"Tested: (\d+)", text), re.search(r"(\d+) generated", text)
    failures = re.findall(r"❌ ST\d+ [^:]+: \d+|🚫 [^:\n]+: \d+", text)
    assert ran.returncode == 0 and operations and not failures, text[-20_000:]
    print(f"{cases[1] if cases else 0} requests to {operations[1]} operations")
