"""Tests the running server against the OpenAPI document with schemathesis: valid and invalid requests for every operation.

Every reply must be documented, match its schema and not be a server error. The requests use a key with all scopes.
usage: schema.py --mien PATH_OF_THE_PROGRAM [--examples N]
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from server import Server

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "Web" / "openapi.json"

# Rejection of invalid requests is not checked: check characters of message IDs, calendar dates and image data cannot be expressed
# in a schema, and tus requires 412 where schemathesis expects 400.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance",
]
# Revoking the key used by this run would end it.
EXCLUDED = r"^/v1/keys/\{id\}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("--examples", type=int, default=15, help="how many requests are made up for each operation")
    arguments = parser.parse_args()
    server = Server(arguments.mien, arguments=["--message-limit", "100000", "--passive", "off"])
    with tempfile.TemporaryDirectory(prefix="mien-schema-") as folder:
        try:
            ran = subprocess.run(
                [sys.executable, "-m", "schemathesis.cli", "run", str(DOCUMENT), "--url", f"http://127.0.0.1:{server.port}",
                 "-H", f"Authorization: Bearer {server.key}", "--exclude-path-regex", EXCLUDED,
                 "--phases", "examples,coverage,fuzzing,stateful", "--checks", ",".join(CHECKS), "-n", str(arguments.examples),
                 "--max-failures", "100", "--seed", "20260101", "--generation-database", "none", "--no-color",
                 "--request-timeout", "60"],
                cwd=folder, capture_output=True, text=True, timeout=1500,
                env={**os.environ, "SCHEMATHESIS_HOOKS": "schema_hooks", "PYTHONPATH": str(HERE)})
        finally:
            alive = server.process.poll() is None
            server.clean()
    text = ran.stdout + ran.stderr
    operations = re.search(r"Tested: (\d+)", text)
    cases = re.search(r"(\d+) generated", text)
    failures = sum(int(number) for number in re.findall(r"❌ ST\d+ [^:]+: (\d+)", text))
    failures += sum(int(number) for number in re.findall(r"🚫 [^:\n]+: (\d+)", text))
    if not alive:
        failures += 1
        print("The server ended during the run.")
    if ran.returncode != 0 or failures or not operations:
        print(text[-20_000:])
        failures = max(failures, 1)
    passed = int(operations[1]) if operations else 0
    print(f"{cases[1] if cases else 0} requests to {passed} operations")
    print(f"{max(passed - failures, 0)} passed, {failures} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
