"""Tests of webhooks from receivers, verified with the Standard Webhooks library, and from attackers."""

import base64
import json
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks import Webhook, WebhookVerificationError

from support.checks import claim_turn, keys
from support.replies import conforms, expect
from support.serving import wait
from support.server import Server
from support.webhooks import Receiver, make, ping

pytestmark = pytest.mark.without_models


class ServerWithPrivateWebhooks:
    """A server that may post to this machine."""

    def __init__(self, server, *arguments):
        self.server = Server(server.binary, arguments=["--allow-private-webhooks", *arguments])

    def __enter__(self):
        return self.server

    def __exit__(self, *_):
        self.server.clean()


def messages(server, hook):
    reply = expect(server.request("GET", f"/v1/webhooks/{hook['id']}/messages", token=server.key), 200).json
    conforms("WebhookMessages", reply)
    return reply["messages"]


def until(server, hook, holds, seconds=240):
    """Waits until the newest message satisfies `holds` and returns it."""
    end = time.monotonic() + seconds
    while True:
        found = messages(server, hook)
        if found and holds(found[0]):
            return found[0]
        assert time.monotonic() < end, found[:2]
        time.sleep(0.1)


def verdict(server, **more):
    """Returns a check that failed at once because the person turned to the wrong side."""
    check = server.claimed(challenge="turn-left", **more)
    steps = claim_turn(check, "turn-right", seconds=1.5)
    assert steps[-1]["state"] == "failed", steps[-1]
    return check


def verify_message(hook, headers, body):
    """Verifies a message with the standard's library, and the second signature over the same bytes."""
    message = Webhook(hook["secret"]).verify(body, headers)
    headers = {name.lower(): value for name, value in headers.items()}
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(hook["public_key"].removeprefix("whpk_")))
    signatures = [part.split(",") for part in headers["webhook-signature"].split(" ")]
    (asymmetric,) = [text for kind, text in signatures if kind == "v1a"]
    key.verify(base64.b64decode(asymmetric), signed)
    conforms("WebhookBody", message)
    return message


def test_verdict_is_signed_and_equals_the_api_result(server):
    with Receiver() as receiver, ServerWithPrivateWebhooks(server) as local:
        hook = make(local, receiver.url)
        check = verdict(local, reference="order 42 — ünïcode", person="ada")
        _, path, headers, body = receiver.wait(1)
        message = verify_message(hook, headers, body)
        assert path == "/hook?shop=1" and headers["content-type"] == "application/json", (path, headers)
        result = check.result().json
        assert message["type"] == "check.failed" and message["timestamp"] == result["decided_at"], message
        data = message["data"]
        assert data["id"] == check.id and data["state"] == "failed" and data["reason"] == result["reason"]
        assert data["reference"] == "order 42 — ünïcode" and data["person"] == "ada"
        # Messages contain the verdict's source and assurance level.
        assert (data["source"], data["basis"]) == ("claimed", "claimed"), data
        (key,) = local.request("GET", "/.well-known/jwks.json").json["keys"]
        claims = jwt.decode(data["signed"], jwt.PyJWK(key), algorithms=["ES256"], options={"verify_iat": False})
        conforms("SignedResult", claims)
        assert claims["sub"] == check.id and claims["outcome"] == "failed"
        reported = until(local, hook, lambda m: m["state"] == "delivered")
        assert reported["id"] == {k.lower(): v for k, v in headers.items()}["webhook-id"] and reported["check"] == check.id
        assert reported["attempts"] == 1 and reported["last_result"] == "204" and "next_at" not in reported
        assert 'mien_webhook_attempts_total{outcome="delivered"} 1' in local.request("GET", "/metrics").body.decode()
        try:
            Webhook(hook["secret"]).verify(body.replace(b"failed", b"passed"), headers)
            raise AssertionError("a changed body was believed")
        except WebhookVerificationError:
            pass


def test_ping_is_empty_and_events_are_selectable(server):
    with Receiver() as receiver, ServerWithPrivateWebhooks(server, "--lifetime", "1") as local:
        hook = make(local, receiver.url, events=["check.timed-out", "check.passed"])
        assert hook["events"] == ["check.passed", "check.timed-out"]
        sent = ping(local, hook)
        _, _, headers, body = receiver.wait(1)
        message = verify_message(hook, headers, body)
        assert message == {"type": "webhook.ping", "timestamp": sent["created_at"], "data": {"id": hook["id"]}}, message
        quiet = make(local, receiver.url, events=["check.passed"])
        check = local.create()
        message = verify_message(hook, *receiver.wait(2)[2:])  # the check timed out
        assert message["type"] == "check.timed-out" and message["data"]["id"] == check.id, message
        assert messages(local, quiet) == []


def test_completed_messages_are_sent_again_on_request_with_the_same_id(server):
    with Receiver() as receiver, ServerWithPrivateWebhooks(server) as local:
        hook, other = make(local, receiver.url), make(local, receiver.url, events=["check.passed"])
        verdict(local)
        first = verify_message(hook, *receiver.wait(1)[2:])
        sent = until(local, hook, lambda m: m["state"] == "delivered")
        resend = lambda of, message, **more: local.request(
            "POST", f"/v1/webhooks/{of['id']}/messages/{message}/resend", **{"token": local.key, **more})
        queued = expect(resend(hook, sent["id"]), 202).json
        conforms("WebhookMessage", queued)
        assert (queued["id"], queued["attempts"], queued["state"]) == (sent["id"], 0, "pending")
        _, _, headers, body = receiver.wait(2)
        again = verify_message(hook, headers, body)
        assert {k.lower(): v for k, v in headers.items()}["webhook-id"] == sent["id"]
        first["data"].pop("signed"), again["data"].pop("signed")  # each signature is another one
        assert again == first
        until(local, hook, lambda m: m["state"] == "delivered" and m["attempts"] == 1)
        for refused in (resend(other, sent["id"]), resend(hook, "msg_" + "x" * 24), resend(hook, "a%20b")):
            expect(refused, 404, "not-found")
        expect(resend(hook, sent["id"], token=None), 401, "unauthorized")
        assert len(receiver.received) == 2


def test_failed_delivery_is_repeated_with_the_same_id_and_body(server):
    with Receiver(500, 204) as receiver, ServerWithPrivateWebhooks(server) as local:
        hook = make(local, receiver.url)
        verdict(local)
        receiver.wait(1)
        waiting = until(local, hook, lambda m: m.get("last_result") == "500")
        assert waiting["state"] == "pending" and waiting["attempts"] == 1 and waiting["next_at"] > waiting["created_at"]
        (first, _, one, body), (second, _, two, again) = receiver.wait(1), receiver.wait(2)
        assert second - first > 3.9, second - first
        assert body == again and one["webhook-id"] == two["webhook-id"], (one, two)
        assert int(two["webhook-timestamp"]) > int(one["webhook-timestamp"])
        assert verify_message(hook, one, body) == verify_message(hook, two, again)
        assert until(local, hook, lambda m: m["state"] == "delivered")["attempts"] == 2
        text = local.request("GET", "/metrics").body.decode()
        assert 'mien_webhook_attempts_total{outcome="retried"} 1' in text


def test_failing_targets_are_retried_and_block_nobody(server):
    with Receiver("hang") as hangs, Receiver(307) as redirects, Receiver("close") as closes, Receiver() as takes, \
            ServerWithPrivateWebhooks(server) as local, socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))  # a bound port without a listener
        bad = {"timeout": make(local, hangs.url), "307": make(local, redirects.url), "connection-lost": make(local, closes.url),
               "no-connection": make(local, f"http://127.0.0.1:{deaf.getsockname()[1]}/")}
        good = make(local, takes.url)
        for hook in [*bad.values(), good]:
            ping(local, hook)
        hangs.wait(1)
        # While one target hangs, a check runs and another target is notified.
        verdict(local)
        takes.wait(2)
        seen = [message.get("last_result") for message in messages(local, bad["timeout"])]
        # The timeout of the ping ends the wait of its target on a slow machine, but the other target never waits for it.
        assert "timeout" in seen or len(hangs.received) == 1, "a target that hangs gets one message at a time"
        sent = hangs.received[0][0]
        assert takes.received[0][0] < sent + 14, "the ping of another target waited for one that hangs"
        for answer, hook in bad.items():
            end = time.monotonic() + 120
            while not any(m.get("last_result") == answer for m in messages(local, hook)):
                assert time.monotonic() < end, (answer, messages(local, hook))
                time.sleep(0.2)
        assert all(path == "/hook?shop=1" for _, path, _, _ in redirects.received), "a redirect was followed"


def test_gone_target_is_not_retried(server):
    with Receiver(410) as receiver, ServerWithPrivateWebhooks(server) as local:
        hook = make(local, receiver.url)
        ping(local, hook)
        reported = until(local, hook, lambda m: m["state"] == "failed")
        assert reported["last_result"] == "410" and reported["attempts"] == 1
        (listed,) = wait("the webhook to be disabled", lambda: [hook for hook in expect(
            local.request("GET", "/v1/webhooks", token=local.key), 200).json["webhooks"] if "disabled_at" in hook])
        conforms("Webhook", listed)
        assert "secret" not in listed
        expect(local.request("POST", f"/v1/webhooks/{hook['id']}/ping", token=local.key), 422, "bad-value")
        verdict(local)
        assert len(messages(local, hook)) == 1 and len(receiver.received) == 1


def test_killed_server_delivers_after_its_restart(server):
    with Receiver("hang", 204) as receiver, ServerWithPrivateWebhooks(server) as local:
        hook = make(local, receiver.url)
        check = verdict(local)
        _, _, first, body = receiver.wait(1)
        local.kill()  # during the delivery
        local.start()
        (reported,) = messages(local, hook)
        assert reported["state"] == "pending" and reported["check"] == check.id, reported
        _, _, second, again = receiver.wait(2, seconds=45)
        assert first["webhook-id"] == second["webhook-id"] == reported["id"] and body == again
        assert verify_message(hook, second, again)["data"]["id"] == check.id
        assert until(local, hook, lambda m: m["state"] == "delivered")["attempts"] == 2


def test_server_killed_right_after_the_verdict_delivers_it(server):
    with Receiver() as receiver, ServerWithPrivateWebhooks(server) as local:
        hook = make(local, receiver.url)
        check = verdict(local)
        local.kill()
        early = len(receiver.received)
        local.start()
        (reported,) = messages(local, hook)
        assert reported["check"] == check.id
        until(local, hook, lambda m: m["state"] == "delivered", seconds=45)
        assert len(receiver.received) >= max(1, early)
        for _, _, headers, body in receiver.received:
            assert headers["webhook-id"] == reported["id"] and verify_message(hook, headers, body)["data"]["id"] == check.id


def test_stopping_server_finishes_deliveries(server):
    with Receiver("slow") as receiver, ServerWithPrivateWebhooks(server) as local:
        hook = make(local, receiver.url)
        ping(local, hook)
        receiver.wait(1)
        threading.Timer(1.5, receiver.over.set).start()
        assert local.stop() == 0
        assert receiver.over.is_set(), "the server did not wait for the answer"
        local.start()
        (reported,) = messages(local, hook)
        assert reported["state"] == "delivered" and reported["attempts"] == 1 and len(receiver.received) == 1, reported


def test_documented_receiver_works(server):
    text = (pathlib.Path(__file__).resolve().parents[3] / "Documentation/guides/Webhooks.md").read_text()
    (program,) = re.findall(r"```python\n(.*?)```", text, re.S)
    assert program.count("whsec_…") == 1 and program.count("9000") == 1
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with ServerWithPrivateWebhooks(server) as local:
        hook = make(local, f"http://127.0.0.1:{port}/")
        program = program.replace("whsec_…", hook["secret"]).replace("9000", str(port))
        receiver = subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            ping(local, hook)
            until(local, hook, lambda m: m["state"] == "delivered")
            assert receiver.stdout.readline().split() == ["webhook.ping", hook["id"], "None", "rejected"]
            forged = urllib.request.Request(f"http://127.0.0.1:{port}/", b"{}", {
                "webhook-id": "msg_1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,AAAA"})
            try:
                urllib.request.urlopen(forged, timeout=10)
                raise AssertionError("a forged message was taken")
            except urllib.error.HTTPError as refused:
                assert refused.code == 400
        finally:
            receiver.kill()


def test_both_secrets_are_valid_after_a_change(server):
    with Receiver() as receiver, ServerWithPrivateWebhooks(server) as local:
        old = make(local, receiver.url)
        reply = expect(local.request("POST", f"/v1/webhooks/{old['id']}/secret", token=local.key), 200)
        new = reply.json
        conforms("Webhook", new)
        assert new["secret"] != old["secret"] and new["public_key"] == old["public_key"] and "old_secret_until" in new
        ping(local, old)
        _, _, headers, body = receiver.wait(1)
        assert verify_message(old, headers, body) == verify_message(new, headers, body)
        assert re.fullmatch(r"v1,\S+ v1,\S+ v1a,\S+", headers["webhook-signature"]), headers
        third = expect(local.request("POST", f"/v1/webhooks/{old['id']}/secret", token=local.key), 200).json
        ping(local, old)
        _, _, headers, body = receiver.wait(2)
        assert verify_message(third, headers, body) == verify_message(new, headers, body)
        try:
            Webhook(old["secret"]).verify(body, headers)
            raise AssertionError("a secret two changes old still signs")
        except WebhookVerificationError:
            pass


def test_deleting_a_check_or_webhook_deletes_its_messages(server):
    with Receiver(500) as receiver, ServerWithPrivateWebhooks(server) as local:
        hook, other = make(local, receiver.url), make(local, receiver.url)
        check, person = verdict(local), verdict(local, person="ada")
        assert len(messages(local, hook)) == 2
        expect(local.request("DELETE", f"/v1/checks/{check.id}", token=local.key), 204)
        assert [m["check"] for m in messages(local, hook)] == [person.id]
        expect(local.request("DELETE", "/v1/people/ada", token=local.key), 204)
        assert messages(local, hook) == []
        for status in (204, 404):
            expect(local.request("DELETE", f"/v1/webhooks/{hook['id']}", token=local.key), status)
        left = expect(local.request("GET", "/v1/webhooks", token=local.key), 200).json
        conforms("Webhooks", left)
        assert [w["id"] for w in left["webhooks"]] == [other["id"]]


def test_realms_notify_their_own_webhooks(server):
    with Receiver() as live, Receiver() as trial, ServerWithPrivateWebhooks(server) as local:
        make(local, live.url)
        real, local.key = local.key, keys(local, "api", "--sandbox")["api_key"]
        hook = make(local, trial.url)
        check = verdict(local)
        _, _, headers, body = trial.wait(1)
        data = verify_message(hook, headers, body)["data"]
        (key,) = local.request("GET", "/.well-known/jwks-sandbox.json").json["keys"]
        jwt.decode(data["signed"], jwt.PyJWK(key), algorithms=["ES256"], options={"verify_iat": False})
        assert data["id"] == check.id and live.received == []
        for method, path in (("DELETE", ""), ("POST", "/ping"), ("POST", "/secret"), ("GET", "/messages")):
            expect(local.request(method, f"/v1/webhooks/{hook['id']}{path}", token=real), 404, "not-found")


def test_rejects_private_addresses(server):
    hosts = ["127.0.0.1", "127.1", "2130706433", "0177.0.0.1", "0x7f000001", "0", "10.1.2.3", "172.16.0.1", "192.168.0.1",
             "100.64.0.1", "169.254.169.254", "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]",
             "[64:ff9b::7f00:1]", "[fd00::1]", "[fe80::1]", "localhost", "LOCALHOST", socket.gethostname()]
    for host in hosts:
        for port in ("", f":{server.port}"):
            reply = server.request("POST", "/v1/webhooks", {"url": f"https://{host}{port}/"}, token=server.key)
            expect(reply, 422, "bad-value")
            assert "public internet" in reply.json["detail"] or "no address" in reply.json["detail"], (host, reply)
    for url in ("", "hook", "http://shop.example/", "ftp://1.1.1.1/", "https://", "https://me@1.1.1.1/", "https://me:word@1.1.1.1/",
                "https://1.1.1.1/#part", "https://1.1.1.1:0/", "https://1.1.1.1:65536/", "https://1.1.1.1/a b", "https://shöp.example/",
                "https://1.1.1.1/\r\nX: y", "https://1.1.1.1/" + "a" * 2048, "https://nobody.invalid/"):
        expect(server.request("POST", "/v1/webhooks", {"url": url}, token=server.key), 422, "bad-value")
    assert expect(server.request("GET", "/v1/webhooks", token=server.key), 200).json == {"webhooks": []}


def test_address_that_became_private_is_not_contacted(server):
    with Receiver() as receiver, ServerWithPrivateWebhooks(server) as local:
        plain, private = make(local, receiver.url), make(local, f"https://127.0.0.1:{receiver.port}/")
        assert local.stop() == 0
        local.arguments.remove("--allow-private-webhooks")
        local.start()
        ping(local, plain), ping(local, private)
        until(local, plain, lambda m: m.get("last_result") == "bad-address")
        until(local, private, lambda m: m.get("last_result") == "private-address")
        assert receiver.received == []


def test_rejects_untrusted_certificates(server):
    with tempfile.TemporaryDirectory(prefix="mien-tls-") as folder:
        certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
                       check=True, capture_output=True)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        with Receiver(tls=tls) as receiver, ServerWithPrivateWebhooks(server) as local:
            hook = make(local, f"https://localhost:{receiver.port}/")
            ping(local, hook)
            until(local, hook, lambda m: m.get("last_result") == "bad-certificate")
            assert receiver.received == []


def test_rejects_undocumented_requests(server):
    for method, path in (("GET", "/v1/webhooks"), ("POST", "/v1/webhooks"), ("DELETE", "/v1/webhooks/whk_x"),
                         ("POST", "/v1/webhooks/whk_x/secret"), ("POST", "/v1/webhooks/whk_x/ping"),
                         ("GET", "/v1/webhooks/whk_x/messages")):
        body = {"url": "https://1.1.1.1/"} if method == "POST" else None
        for token in (None, "mien_wrong", "mt_" + "x" * 43, server.create().token):
            expect(server.request(method, path, body, token=token), 401, "unauthorized")
        if path != "/v1/webhooks":
            for name in ("whk_nobody", "..%2f..", "a" * 65, "%00"):
                expect(server.request(method, path.replace("whk_x", name), token=server.key), 404, "not-found")
    cases = [(b"{", 400), (b"[]", 400), (b"", 400), ({}, 400), ({"url": 7}, 400), ({"events": []}, 400), ({"url": "https://1.1.1.1/", "a": 1}, 400),
             ({"url": "https://1.1.1.1/", "events": "check.passed"}, 400), ({"url": "https://1.1.1.1/", "events": []}, 422),
             ({"url": "https://1.1.1.1/", "events": ["check.burnt"]}, 422), ({"url": "https://1.1.1.1/", "events": ["webhook.ping"]}, 422)]
    for body, status in cases:
        headers = {"Content-Type": "application/json"}
        reply = server.request("POST", "/v1/webhooks", body, headers, token=server.key)
        assert reply.status == status, (body, reply)
        conforms("Problem", reply.json)


def test_limits_webhooks_to_sixteen(server):
    with ServerWithPrivateWebhooks(server) as local:
        for number in range(16):
            make(local, f"http://127.0.0.1:1/{number}")
        reply = local.request("POST", "/v1/webhooks", {"url": "http://127.0.0.1:1/"}, token=local.key)
        expect(reply, 422, "bad-value")
        listed = expect(local.request("GET", "/v1/webhooks", token=local.key), 200).json
        conforms("Webhooks", listed)
        assert [w["url"][-2:].strip("/") for w in listed["webhooks"]] == [str(n) for n in range(16)] or len(listed["webhooks"]) == 16


def test_foreign_origins_cannot_manage_webhooks(server):
    ours = "https://shop.example"
    other = Server(server.binary, arguments=["--allow-origin", ours])
    try:
        for path in ("/v1/webhooks", "/v1//webhooks", "//v1/webhooks", "/v1/webhooks/", "/v1/webhooks/whk_x/secret"):
            for method in ("OPTIONS", "GET", "POST"):
                headers = {"Origin": ours, "Access-Control-Request-Method": "POST"}
                reply = other.request(method, path, None, headers, token=other.key)
                assert "access-control-allow-origin" not in reply.headers, (method, path, reply.headers)
        allowed = other.request("OPTIONS", "/v1/checks/chk_x/frames", headers={"Origin": ours})
        assert allowed.headers["access-control-allow-origin"] == ours
    finally:
        other.clean()


def test_secrets_and_results_are_not_stored_or_logged_in_plain_text(server):
    with Receiver() as receiver, ServerWithPrivateWebhooks(server) as local:
        hook = make(local, receiver.url)
        verdict(local, reference="order 42")
        until(local, hook, lambda m: m["state"] == "delivered")
        secret = base64.b64decode(hook["secret"].removeprefix("whsec_"))
        files = [os.path.join(local.data, name) for name in os.listdir(local.data)]
        kept = b"".join(open(file, "rb").read() for file in files if os.path.isfile(file))
        assert secret not in kept and hook["secret"].encode() not in kept
        text = "".join(local.lines)
        assert "whsec_" not in text and "order of" not in text and "127.0.0.1" not in text, text[:500]
        assert not re.search(r"yaw|pitch|outbound_path", json.dumps(messages(local, hook)))
