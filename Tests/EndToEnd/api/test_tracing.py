"""Tests of exported traces: checked against the OpenTelemetry protocol's definitions and searched for confidential data."""

import base64
import contextlib
import http.server
import json
import pathlib
import re
import secrets
import socket
import subprocess
import tempfile
import threading

import numpy
import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from support import scans, webhooks
from support.capture_files import jpeg
from support.checks import claim_turn
from support.replies import expect
from support.server import Check, Server
from support.serving import serving, wait

pytestmark = pytest.mark.without_models
# Allowed attributes of a span and patterns of their values, none of which can hold client data.
WORD = r"[A-Za-z]+(?:[._/ -][A-Za-z]+)*"
FACTS = {
    "http.request.method": r"[A-Z]+|_OTHER", "http.route": r"/[\w./:{}*-]*", "http.response.status_code": r"\d{3}",
    "url.scheme": r"https?", "error.type": rf"{WORD}|\d{{3}}", "db.system.name": r"sqlite|postgresql",
    "db.operation.name": r"[A-Za-z]+\.[A-Za-z]+", "mien.database.access": r"read|write", "mien.blob.store": r"disk|s3",
    "mien.blob.operation": r"put|get|delete", "mien.bytes": r"\d+", "mien.attempt": r"\d+", "mien.scan.kind": r"face|object",
    "mien.parts_left_out": r"\d+",
}


class Collector:
    """Receives traces over HTTP as an OpenTelemetry collector does; `answers` are statuses, the last of which repeats."""

    def __init__(self, *answers, port=0):
        self.answers, self.messages, self.heads = list(answers or [200]), [], []
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                answer = collector.answers.pop(0) if len(collector.answers) > 1 else collector.answers[0]
                collector.heads.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
                if answer == 200:
                    collector.messages.append(body)
                self.send_response(answer)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def spans(self, trace=None):
        """Returns all received spans, or those of one trace."""
        found = []
        for message in list(self.messages):
            for resource in json.loads(message)["resourceSpans"]:
                for scope in resource["scopeSpans"]:
                    found += [Span(each) for each in scope["spans"]]
        return [span for span in found if trace in (None, span.trace)]

    def complete_request(self, trace):
        """Waits until the request is over and returns its span and those below it."""
        def find():
            found = self.spans(trace)
            return found if any(span.kind == 2 for span in found) else None
        found = wait(f"the trace {trace}", find)
        return next(span for span in found if span.kind == 2), [span for span in found if span.kind != 2]

    def spans_named(self, name, count=1):
        return wait(name, lambda: self.enough([span for span in self.spans() if span.name == name], count))

    @staticmethod
    def enough(found, count):
        return found if len(found) >= count else None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Span:
    def __init__(self, span):
        self.name, self.kind, self.trace, self.id = span["name"], span["kind"], span["traceId"], span["spanId"]
        self.parent = span.get("parentSpanId")
        self.began, self.ended = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
        self.failed = span["status"].get("code") == 2
        self.facts = {each["key"]: str(next(iter(each["value"].values()))) for each in span["attributes"]}

    def __repr__(self):
        return f"{self.name} {self.facts}"


class Caller:
    """A client that propagates a trace to the server."""

    def __init__(self, sampled=True):
        self.trace, self.span = secrets.token_hex(16), secrets.token_hex(8)
        self.headers = {"traceparent": f"00-{self.trace}-{self.span}-0{int(sampled)}"}


@contextlib.contextmanager
def traced(server, collector, *arguments, loads_models=None):
    other = Server(server.binary, arguments=["--otlp", collector.url, *arguments], loads_models=loads_models)
    try:
        yield other
    finally:
        other.clean()


def conforms(message):
    """Parses the message with the protocol's definitions: unknown fields and wrong types are refused."""
    reported = json.loads(message)
    for resource in reported["resourceSpans"]:
        for span in (span for scope in resource["scopeSpans"] for span in scope["spans"]):
            for name, size in (("traceId", 16), ("spanId", 8), ("parentSpanId", 8)):
                if name in span:
                    # Hexadecimal in OTLP's JSON, base64 in the standard JSON mapping.
                    assert re.fullmatch(r"[0-9a-f]{%d}" % (2 * size), span[name]), span
                    span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    return json_format.ParseDict(reported, ExportTraceServiceRequest())


def check_closed_names(collector):
    """Checks that all span names and attributes come from the closed sets."""
    for span in collector.spans():
        assert re.fullmatch(rf"{WORD}(?: /[\w./:{{}}*-]*)?", span.name), span
        for name, value in span.facts.items():
            assert re.fullmatch(FACTS[name], value), span


def test_request_span_belongs_to_its_callers_trace_and_contains_the_database_span(server):
    with Collector() as collector, traced(server, collector) as own:
        caller = Caller()
        payload = {"challenge": "turn-left", "sources": ["claimed"]}
        made = expect(own.request("POST", "/v1/checks", payload, caller.headers, own.key), 201).json
        request, below = collector.complete_request(caller.trace)
        assert request.name == "POST /v1/checks" and request.parent == caller.span and not request.failed, request
        assert request.facts == {"http.request.method": "POST", "http.route": "/v1/checks",
                                 "http.response.status_code": "201", "url.scheme": "http"}, request.facts
        kept = next(span for span in below if span.name == "CheckStore.create")
        system = "postgresql" if Server.store else "sqlite"
        assert kept.parent == request.id and kept.kind == 3, kept
        assert kept.facts == {"db.system.name": system, "db.operation.name": "CheckStore.create",
                              "mien.database.access": "write"}, kept.facts
        assert request.began <= kept.began <= kept.ended <= request.ended
        assert all(span.parent == request.id for span in below), below

        # Reads the check while open and after the verdict; repeated reads of a decided one take the fast path.
        callers = [Caller() for _ in range(4)]
        for number, reader in enumerate(callers):
            if number == 1:
                claim_turn(Check(own, made), "turn-left")
            expect(own.request("GET", f"/v1/checks/{made['id']}", headers=reader.headers, token=own.key), 200)
        for reader in callers:
            request, _ = collector.complete_request(reader.trace)
            assert re.fullmatch(r"GET /v1/checks/[:{]id}?", request.name) and request.parent == reader.span, request
            assert request.facts["http.route"] == request.name.removeprefix("GET "), request

        # A refused request is not a server error, and an unknown path has no route attribute.
        refused, nothing, strange = Caller(), Caller(), Caller()
        own.request("GET", f"/v1/checks/{made['id']}", headers=refused.headers, token="mien_guess")
        own.request("GET", "/nothing/at/all", headers=nothing.headers)
        own.request("PROPFIND", "/v1/checks", headers=strange.headers)
        request, _ = collector.complete_request(refused.trace)
        assert request.facts["http.response.status_code"] == "401" and not request.failed, request
        request, _ = collector.complete_request(nothing.trace)
        assert request.name == "GET" and "http.route" not in request.facts, request
        request, _ = collector.complete_request(strange.trace)
        assert request.name.startswith("HTTP") and request.facts["http.request.method"] == "_OTHER", request

        check_closed_names(collector)
        for message, (path, head) in zip(list(collector.messages), list(collector.heads)):
            resource = conforms(message).resource_spans[0].resource
            reported = {each.key: each.value.string_value for each in resource.attributes}
            assert reported["service.name"] == "mien" and re.fullmatch(r"\d+\.\d+\.\d+", reported["service.version"]), reported
            assert re.fullmatch(r"[0-9a-f-]{36}", reported["service.instance.id"]), reported
            assert path == "/v1/traces" and head["content-type"] == "application/json" and "traceparent" not in head, head


def test_frame_analysis_is_part_of_its_request(server):
    with Collector() as collector, traced(server, collector, loads_models=True) as own:
        caller = Caller()
        check = own.create()
        picture = jpeg(numpy.random.default_rng(1).integers(0, 255, (240, 320, 3), dtype=numpy.uint8))
        expect(check.post("frames", picture, "image/jpeg", **caller.headers), 200)
        request, below = collector.complete_request(caller.trace)
        look = next(span for span in below if span.name == "models.run")
        assert look.parent == request.id and look.facts == {"mien.bytes": str(len(picture))}, look
        check_closed_names(collector)


def test_background_work_has_its_own_traces(server):
    with Collector() as collector, traced(server, collector, "--allow-private-webhooks") as own:
        with webhooks.Receiver(204) as receiver:
            hook = webhooks.make(own, receiver.url)
            webhooks.ping(own, hook)
            delivery = collector.spans_named("webhook.deliver")[0]
            post = collector.spans_named("webhook.post")[0]
            assert delivery.parent is None and post.parent == delivery.id, (delivery, post)
            assert delivery.facts == {"mien.attempt": "1"} and post.facts["http.response.status_code"] == "204", (delivery, post)
            assert any(span.parent == delivery.id and span.name.startswith("WebhookStore.") for span in collector.spans())
            assert "traceparent" not in {name.lower() for name in receiver.wait(1)[2]}, "a trace ID is not sent to third parties"

        scans.done(own, scans.post(own, scans.parts()))
        work = collector.spans_named("scan.work")[0]
        below = [span for span in collector.spans(work.trace) if span.parent == work.id]
        names = {span.name for span in below}
        assert work.parent is None and not work.failed, work
        assert names >= {"scan.checking", "scan.fusing", "scan.meshing", "scan.writing", "blob.get", "blob.put"}, names
        phases = sorted((span for span in below if span.name.startswith("scan.")), key=lambda span: span.began)
        assert all(one.ended <= other.began for one, other in zip(phases, phases[1:])), phases
        assert len(below) <= 300, "a scan of any size has a trace of bounded size"

        # Background work of the server is not traced.
        roots = {span.name.split()[0] for span in collector.spans() if span.parent is None}
        assert roots <= {"webhook.deliver", "scan.work", "GET", "POST", "HEAD"}, roots
        check_closed_names(collector)


def test_traces_contain_no_personal_data(server):
    with Collector() as collector, traced(server, collector) as own:
        person, device = "person-who-is-nobody", "device-of-nobody"
        check = own.claimed(challenge="turn-left", person=person, device=device, reference="a-reference-of-nobody")
        claim_turn(check, "turn-right")
        expect(check.result(), 200)
        own.request("GET", "/v1/checks/chk_nobody?x=nobodys-query", token="mien_nobodys_key")
        own.request("GET", "/nobodys-path/nobody.html", headers={"User-Agent": "nobodys-browser", "X-Request-ID": "nobody-7"})
        own.request("POST", "/v1/checks", b'{"nobody": 1}', {"Content-Type": "application/nobody"}, own.key)
        own.request("DELETE", f"/v1/people/{person}", token=own.key)
        last = Caller()
        own.request("GET", "/health/live", headers=last.headers)
        collector.complete_request(last.trace)
        assert len(collector.spans()) > 10
        check_closed_names(collector)
        text = b"\n".join(collector.messages).decode()
        for secret in ("nobod", check.id, check.token, own.key, own.key[-12:], own.data, "127.0.0.1"):
            assert secret not in text, secret


def test_malformed_traceparent_is_ignored(server):
    with Collector() as collector, traced(server, collector) as own:
        caller = Caller()
        good = caller.headers["traceparent"]
        bad = ["", "00", good.upper(), good[:-1], good + "0", good + ", " + good, "ff" + good[2:], "00-" + "0" * 32 + good[35:],
               good[:36] + "0" * 16 + good[52:], "x" * 600, "x" * 8000, "00-" + "é" * 16 + good[35:], good.replace("-", "_")]
        for header in bad:
            expect(own.request("GET", "/health/live", headers={"traceparent": header.encode("latin-1", "replace")}), 200)
        # A repeated header is ambiguous and ignored.
        with socket.create_connection(("127.0.0.1", own.port), timeout=120) as plain:
            plain.sendall(f"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\ntraceparent: {good}\r\n"
                          f"traceparent: {good}\r\n\r\n".encode())
            assert plain.recv(100).startswith(b"HTTP/1.1 200"), "answered as ever"
        found = collector.spans_named("GET /health/live", len(bad) + 1)
        assert all(span.parent is None for span in found) and len({span.trace for span in found}) == len(found), found
        assert caller.trace not in {span.trace for span in found}


def test_caller_decides_on_sampling_otherwise_a_fixed_share(server):
    with Collector() as collector, tempfile.TemporaryDirectory() as folder:
        # Set in the configuration file this time.
        file = pathlib.Path(folder, "mien.json")
        file.write_text(json.dumps({"otlp": collector.url, "otlp-one-in": 1_000_000}))
        with serving(server, "--config", str(file)) as own:
            unwanted, wanted = Caller(sampled=False), Caller()
            for _ in range(20):
                expect(own.request("GET", "/health/live"), 200)
            expect(own.request("POST", "/v1/checks", {}, unwanted.headers, own.key), 201)
            expect(own.request("POST", "/v1/checks", {}, wanted.headers, own.key), 201)
            collector.complete_request(wanted.trace)
            assert {span.trace for span in collector.spans()} == {wanted.trace}, collector.spans()


def test_last_spans_are_sent_before_exit(server):
    with Collector() as collector, traced(server, collector) as own:
        callers = [Caller() for _ in range(3)]
        for caller in callers:
            expect(own.request("GET", "/health/live", headers=caller.headers), 200)
        assert own.stop() == 0
        assert {caller.trace for caller in callers} <= {span.trace for span in collector.spans()}


def test_unavailable_collector_blocks_nothing_and_gets_spans_later(server):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    other = Server(server.binary, arguments=["--otlp", f"http://127.0.0.1:{port}"])
    try:
        expect(other.request("GET", "/health/live"), 200)
        wait("the log entry", lambda: any("the collector does not respond" in line for line in other.lines))
        caller = Caller()
        expect(other.request("POST", "/v1/checks", {}, caller.headers, other.key), 201)
        assert 'mien_spans_total{outcome="sent"} 0\n' in other.request("GET", "/metrics").body.decode()
        # The collector is unavailable at first, then accepts the same spans.
        with Collector(503, 200, port=port) as collector:
            collector.complete_request(caller.trace)
            ids = [span.id for span in collector.spans()]
            assert len(ids) == len(set(ids)), "each once"
            wait("the count", lambda: int(count_spans(other, "sent")) >= len(ids))
            assert count_spans(other, "dropped") == "0"
            wait("the log entry after the recovery", lambda: any("traces are sent again" in line for line in other.lines))
        said = [line for line in other.lines if "the collector does not respond" in line]
        assert len(said) == 1, "said once, not each time"
        assert other.stop() == 0, "and it ends without one"
    finally:
        other.clean()


def test_rejected_spans_are_reported_and_dropped(server):
    with Collector(400) as collector, traced(server, collector) as own:
        expect(own.request("GET", "/health/live"), 200)
        wait("the count", lambda: int(count_spans(own, "dropped")) > 0)
        assert count_spans(own, "sent") == "0"
        wait("a word", lambda: any("the collector rejects them" in line and "400" in line for line in own.lines))


def count_spans(server, outcome):
    text = server.request("GET", "/metrics").body.decode()
    return re.search(rf'^mien_spans_total{{outcome="{outcome}"}} (\d+)$', text, re.M).group(1)


def test_tracing_is_off_by_default_and_invalid_addresses_stop_the_start(server):
    assert "mien_spans_total" not in server.request("GET", "/metrics").body.decode()
    for arguments in (["--otlp", "http://u:swordfish@127.0.0.1:4318"], ["--otlp", "127.0.0.1:4318"], ["--otlp", "grpc://h:4317"],
                      ["--otlp", "http://127.0.0.1:4318?key=swordfish"], ["--otlp-one-in", "0"]):
        ended = subprocess.run([server.binary, "serve", "--port", "0", "--data", "/nowhere", *arguments], capture_output=True,
                               text=True, timeout=300)
        assert ended.returncode == 64 and "--otlp" in ended.stderr, ended
        assert "swordfish" not in ended.stderr.split("Usage:")[0], ended.stderr
