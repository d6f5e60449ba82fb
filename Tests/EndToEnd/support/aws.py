"""Signed requests to the AWS-compatible API."""

import json
import re
import subprocess

import botocore.exceptions

KEYS = {}
CREATE, READ = "RekognitionService.CreateFaceLivenessSession", "RekognitionService.GetFaceLivenessSessionResults"


def keys(server, *arguments):
    return subprocess.run([server.binary, "keys", *arguments, "--data", server.data], capture_output=True, text=True)


def new_key(server):
    out = keys(server, "add", "aws", "--json")
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout)


def key_of(server):
    """Returns the server's access key; created once per server, while it runs."""
    if server.data not in KEYS:
        KEYS[server.data] = new_key(server)
    return KEYS[server.data]


def signed(server, body, target=CREATE, at=None, key=None, region="eu-central-1", service="rekognition", **headers):
    """Returns a request signed by botocore as (path, headers, body), so that tests can tamper with it."""
    key = key or key_of(server)
    request = botocore.awsrequest.AWSRequest(
        "POST", f"http://127.0.0.1:{server.port}/", data=body,
        headers={"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": target,
                 **{name.replace("_", "-"): value for name, value in headers.items()}})
    credentials = botocore.credentials.Credentials(key["aws_access_key_id"], key["aws_secret_access_key"])
    now = botocore.auth.get_current_datetime
    if at is not None:
        botocore.auth.get_current_datetime = lambda *a, **k: at
    try:
        botocore.auth.SigV4Auth(credentials, service, region).add_auth(request)
    finally:
        botocore.auth.get_current_datetime = now
    return dict(request.headers.items())


def raw(server, body, headers, method="POST", path="/"):
    reply = server.request(method, path, body, headers)
    assert reply.headers["content-type"] == "application/x-amz-json-1.1", (reply, reply.headers)
    assert re.fullmatch(r"[0-9a-f-]{36}", reply.headers["x-amzn-requestid"])
    return reply
