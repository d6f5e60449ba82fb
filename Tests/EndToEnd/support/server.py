"""Starts a private `mien serve` and sends it HTTP requests; uses only the standard library."""

import http.client
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from support.program import ROOT


class Server:
    # Function that returns the database URL for a data directory; None uses the embedded database.
    store = None
    # Loads the face models, which adds more than a second to each start; False for tests that send no images to analyze.
    loads_models = True

    # Number of face trackers unless `arguments` say it; each adds another second to each start.
    engines = 1

    # Default assurance of checks that request neither one nor tasks; None uses the shipped default, standard.
    assurance = None

    def __init__(self, binary, data=None, arguments=(), loads_models=None, claims=True, open_files=None):
        """`claims` permits checks on client observations; `claimed` creates them."""
        self.binary = binary
        # Hard limit of open files of the process; None inherits this process's limit.
        self.open_files = open_files
        self.data = data or tempfile.mkdtemp(prefix="mien-api-")
        if loads_models is not None:
            self.loads_models = loads_models
        options = ["--allow-claimed-observations"] if claims else []
        if self.assurance:
            options += ["--default-assurance", self.assurance]
        # All tests come from one address and send more in a minute than a person in an hour.
        self.arguments = ["--capture-limit", "0", *options, *arguments]
        self.key = None
        self.lines = []
        self.start()

    def start(self):
        models = [] if self.loads_models or "--models" in self.arguments else ["--models", "/nowhere"]
        engines = [] if "--engines" in self.arguments else ["--engines", str(self.engines)]
        began = time.monotonic()
        self.process = subprocess.Popen(
            [self.binary, "serve", "--port", "0", "--data", self.data, "--web", str(ROOT / "Web"), *self.arguments, *models, *engines],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment,
            preexec_fn=self.limit if self.open_files else None)
        printed = []
        for line in self.process.stdout:
            printed.append(line.strip())
            if line.startswith("API key: "):
                self.key = line.split()[-1]
            found = re.match(r"Listening on https?://[^:]+:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise RuntimeError("the server did not start: " + self.process.stderr.read())
        self.printed = printed
        self.seconds_to_start = time.monotonic() - began
        self.drain(self.process.stdout)
        self.drain(self.process.stderr)

    @property
    def environment(self):
        """Environment for commands that work on the same data."""
        return {**os.environ, "MIEN_STORE": self.store(self.data)} if self.store else None

    def limit(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (self.open_files, self.open_files))

    def drain(self, stream):
        threading.Thread(target=lambda: self.lines.extend(stream), daemon=True).start()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(120)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
        return self.process.returncode

    def clean(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.data, ignore_errors=True)

    def memory(self):
        """Returns the resident memory in bytes."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) * 1024

    def processor_seconds(self):
        """Returns the processor time that the process has used, which does not depend on other work of the machine."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def request(self, method, path, body=None, headers=None, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            return self.over(connection, method, path, body, headers, token)
        finally:
            connection.close()

    @staticmethod
    def over(connection, method, path, body=None, headers=None, token=None):
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = "Bearer " + token
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        connection.request(method, path, body=body, headers=headers)
        reply = connection.getresponse()
        data = reply.read()
        return Reply(reply.status, dict((k.lower(), v) for k, v in reply.getheaders()), data)

    def create(self, **body):
        """Creates a check; with one attempt unless `attempts` is given, so that the first failure decides."""
        reply = self.request("POST", "/v1/checks", {"attempts": 1, **body}, token=self.key)
        assert reply.status == 201, reply
        return Check(self, reply.json)

    def claimed(self, **body):
        """Creates a check that accepts observations instead of frames, so it needs neither images nor models."""
        return self.create(sources=["observed", "claimed"], **body)

    def gated(self, **body):
        """Creates a check that depth alone can pass; if the depth does not pass, it is decided on observations."""
        if not body.keys() & {"tasks", "challenge", "assurance"}:
            body["assurance"] = "basic"
        return self.create(sources=["observed", "claimed", "depth"], **body)


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        return self.json["code"]

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Check:
    def __init__(self, server, created):
        self.server = server
        self.created = created
        self.id, self.token = created["id"], created["token"]

    def post(self, what, body, type, token=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.server.request(
            "POST", f"/v1/checks/{self.id}/{what}", body, {"Content-Type": type, **headers}, token or self.token)

    def frame(self, jpeg, type="image/jpeg", **more):
        return self.post("frames", jpeg, type, **more)

    def observe(self, *lines, type="application/x-ndjson", **more):
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n"
        return self.post("observations", text.encode(), type, **more)

    def result(self):
        return self.server.request("GET", f"/v1/checks/{self.id}", token=self.server.key)
