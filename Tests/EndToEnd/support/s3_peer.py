"""An object store for tests: moto behind a proxy that checks every signature with botocore and injects faults.

As a program it prints its port, then executes each line of its input (a JSON object as `Peer.order` takes it) and answers with
one line; it exits at the end of its input.
"""

import datetime
import hashlib
import http.server
import json
import logging
import sys
import threading
import time
import urllib.parse

ACCESS = "MIENTESTACCESSKEY"
SECRET = "swordfish/of+the=tests"
REFUSED = (b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SlowDown</Code><Message>Please reduce your request rate.'
           b"</Message></Error>")


class Peer:
    """One store with its own buckets. `seen` logs the requests as (method, path, query, status)."""

    def __init__(self):
        from moto.server import ThreadedMotoServer
        # Real stores require parts of at least 5 MiB; smaller ones keep tests of many parts short.
        from moto.s3 import models
        models.S3_UPLOAD_PART_MIN_SIZE = 1024
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.moto = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        self.moto.start()
        self.moto_port = self.moto.get_host_and_port()[1]
        self.faults, self.seen, self.lock = [], [], threading.Lock()
        peer = self

        class ProxyHandler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except (ConnectionError, TimeoutError):
                    self.close_connection = True

            def do_any(self):
                peer.answer(self)

            do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = do_any

        self.proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ProxyHandler)
        self.proxy.daemon_threads = True
        self.port = self.proxy.server_address[1]
        threading.Thread(target=self.proxy.serve_forever, daemon=True).start()

    def stop(self):
        self.proxy.shutdown()
        self.proxy.server_close()
        self.moto.stop()

    # ── control by tests ──────────────────────────────────────────────────────────────────────────────────────────

    def order(self, what, **more):
        return getattr(self, what)(**more)

    def bucket(self, name, versioning=False):
        self.ask("PUT", "/" + name)
        if versioning:
            self.ask("PUT", f"/{name}?versioning=", b"<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>")

    def inject_fault(self, kind, count=1, method=None, part=None, seconds=0):
        """Injects `kind` into the next `count` requests (-1: all) with this method and this part in their address: `refuse` answers
        503 SlowDown; `drop` closes the connection; `lose` executes the request and closes the connection; `cut` sends half of the
        reply; `slow` waits first; `late` executes the request, waits and replies."""
        with self.lock:
            self.faults.append({"kind": kind, "count": count, "method": method, "part": part, "seconds": seconds})

    def clear_faults(self):
        with self.lock:
            self.faults.clear()

    def keys(self, bucket):
        """Returns all keys of a bucket, and the keys of unfinished uploads."""
        import xml.etree.ElementTree as tree

        def texts(address, tag):
            return [e.text for e in tree.fromstring(self.ask("GET", address)).iter() if e.tag.split("}")[-1] == tag]
        keys = page = texts(f"/{bucket}?list-type=2", "Key")
        while len(page) == 1000:  # the size of a full page
            page = texts(f"/{bucket}?list-type=2&start-after={urllib.parse.quote(page[-1], safe='')}", "Key")
            keys = keys + page
        return {"keys": sorted(keys), "uploads": sorted(texts(f"/{bucket}?uploads=", "Key"))}

    def take_requests(self):
        """Returns the requests since the last call: method, path, query, status."""
        with self.lock:
            seen, self.seen = self.seen, []
        return seen

    # ── the proxy ─────────────────────────────────────────────────────────────────────────────────────────────────

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.moto_port, timeout=120)
        connection.request(method, path, body, {"Authorization": f"AWS4-HMAC-SHA256 Credential={ACCESS}/20260101/us-east-1/s3/aws4_request"})
        reply = connection.getresponse()
        data = reply.read()
        connection.close()
        assert reply.status < 300, (method, path, reply.status, data)
        return data

    def take_fault(self, method, target):
        with self.lock:
            for fault in self.faults:
                if fault["method"] in (None, method) and (fault["part"] is None or fault["part"] in target) and fault["count"]:
                    fault["count"] -= 1
                    return fault
        return None

    def answer(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        path, _, query = handler.path.partition("?")
        fault = self.take_fault(handler.command, handler.path)
        kind = fault["kind"] if fault else None
        if kind == "slow":
            time.sleep(fault["seconds"])
        refusal = unsigned(handler.command, path, query, handler.headers, body)
        if kind == "drop":
            status, headers, data = 0, [], b""
        elif refusal:
            status, headers, data = 403, [], f"<Error><Code>{refusal}</Code></Error>".encode()
        elif kind == "refuse":
            status, headers, data = 503, [("Content-Type", "application/xml")], REFUSED
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.moto_port, timeout=60)
            connection.request(handler.command, handler.path, body, dict(handler.headers.items()))
            reply = connection.getresponse()
            data = reply.read()
            status, headers = reply.status, reply.getheaders()
            connection.close()
        with self.lock:
            self.seen.append([handler.command, path, query, status])
        if kind == "late":
            time.sleep(fault["seconds"])
        if kind in ("drop", "lose"):
            handler.close_connection = True
            return
        handler.send_response(status)
        for name, value in headers:
            if name.lower() not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                handler.send_header(name, value)
        length = next((v for k, v in headers if k.lower() == "content-length"), len(data)) if handler.command == "HEAD" else len(data)
        if not (status == 204 or status == 304):
            handler.send_header("Content-Length", str(length))
        handler.end_headers()
        if kind == "cut":
            handler.wfile.write(data[:len(data) // 2])
            handler.close_connection = True
        elif handler.command != "HEAD":
            handler.wfile.write(data)


def unsigned(method, path, query, headers, body):
    """Returns S3's error code if the signature is not botocore's, or None."""
    from botocore.auth import S3SigV4Auth
    from botocore.awsrequest import AWSRequest
    from botocore.credentials import Credentials
    parameters = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
    if "X-Amz-Signature" in parameters:
        credential, signed, given = parameters["X-Amz-Credential"], parameters["X-Amz-SignedHeaders"], parameters["X-Amz-Signature"]
        date, digest = parameters["X-Amz-Date"], "UNSIGNED-PAYLOAD"
        begun = datetime.datetime.strptime(date, "%Y%m%dT%H%M%SZ")
        if datetime.datetime.utcnow() > begun + datetime.timedelta(seconds=int(parameters["X-Amz-Expires"])):
            return "AccessDenied"
        query = "&".join(item for item in query.split("&") if not item.startswith("X-Amz-Signature="))
    else:
        header = headers.get("Authorization") or ""
        if not header.startswith("AWS4-HMAC-SHA256 "):
            return "AccessDenied"
        parts = dict(item.strip().split("=", 1) for item in header.split(" ", 1)[1].split(","))
        credential, signed, given = parts["Credential"], parts["SignedHeaders"], parts["Signature"]
        date, digest = headers["x-amz-date"], headers["x-amz-content-sha256"]
        if digest != hashlib.sha256(body).hexdigest():
            return "XAmzContentSHA256Mismatch"
        if abs((datetime.datetime.utcnow() - datetime.datetime.strptime(date, "%Y%m%dT%H%M%SZ")).total_seconds()) > 900:
            return "RequestTimeTooSkewed"
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(signed.split(";")):
            return "AccessDenied"
    access, day, region, service, end = credential.split("/")
    if access != ACCESS:
        return "InvalidAccessKeyId"
    request = AWSRequest(method, f"http://{headers['Host']}{path}" + (f"?{query}" if query else ""),
                         {name: headers[name] for name in signed.split(";")})
    request.headers["X-Amz-Content-SHA256"] = digest
    request.context["timestamp"] = date
    auth = S3SigV4Auth(Credentials(ACCESS, SECRET), service, region)
    lines = "".join(f"{name}:{headers[name]}\n" for name in signed.split(";"))
    canonical = "\n".join([method, path, auth.canonical_query_string(request), lines, signed, digest])
    expected = auth.signature(auth.string_to_sign(request, canonical), request)
    return None if given == expected and f"{day}/{service}/{end}" == f"{date[:8]}/s3/aws4_request" else "SignatureDoesNotMatch"


if __name__ == "__main__":
    try:
        peer = Peer()
    except ImportError:
        print("missing", flush=True)
        sys.exit(0)
    print(peer.port, flush=True)
    for line in sys.stdin:
        print(json.dumps(peer.order(**json.loads(line))), flush=True)
    peer.stop()
