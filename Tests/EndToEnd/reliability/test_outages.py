"""Tests of faults on PostgreSQL and an object store: outages under traffic, full disks, a wrong clock, and recovery."""

import contextlib
import http.client
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import pytest

from api.test_object_store import (  # noqa: F401
    test_rejections_of_the_store_are_reported_and_recovered_from, test_brief_failures_of_the_store_are_invisible)
from reliability.data_inspection import check_postgres_integrity
from reliability.fault_clients import SampleRecords, Traffic, check_results_intact, is_refusal, small_scan, submitted
from reliability.fault_helpers import SmallDisk, capture, check_capture, ready, settable_clock, until
# Without the full disk, which affects servers differently whose database is elsewhere.
from reliability.test_faults import (  # noqa: F401
    test_locked_database_is_waited_for_or_reported,
    test_server_without_models_reports_it_and_serves_the_rest,
    test_missing_blob_is_reported,
    test_clock_jumps_end_no_check_early_and_keep_none_forever)
from support import captures, footage, object_store, scans
from support.postgres_server import Database
from support.replies import expect

pytestmark = [pytest.mark.slow, pytest.mark.postgres, pytest.mark.s3, pytest.mark.without_models]
# Duration of an outage in seconds.
OUTAGE_SECONDS = 8
NO_LIMITS = ["--message-limit", "0", "--lockout-failures", "0", "--allow-private-webhooks"]


class Node(object_store.BucketServer):
    """A server on PostgreSQL and an object store, with its own schema and prefix."""
    database = None

    @property
    def folder(self):
        return self.data.strip("/").replace("/", "-")

    @property
    def environment(self):
        return {**super().environment, "MIEN_STORE": self.database.url_for(self.data)}

    def request(self, method, path, body=None, headers=None, token=None):
        # Long timeout, for a slow store; the tests themselves check latencies.
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            return self.over(connection, method, path, body, headers, token)
        finally:
            connection.close()

    def stored_keys(self, realm="live"):
        """Excludes the marker by which servers on one database verify that they share files."""
        keys, uploads = super().stored_keys(realm)
        return [[key for key in keys if not key.startswith("place-")], uploads]

    @contextlib.contextmanager
    def locked_database(self):
        """Locks every table of this server's schema against writes from another connection."""
        schema = self.database.url_for(self.data).split("schema=")[1]
        command = psql(self.database)
        listing = f"SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = '{schema}'"
        tables = subprocess.run([*command, "-c", listing], capture_output=True, text=True, check=True, cwd="/").stdout.split()
        assert tables, schema
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/")
        try:
            holder.stdin.write(f"BEGIN; LOCK TABLE {', '.join(tables)} IN EXCLUSIVE MODE; SELECT 'held';\n")
            holder.stdin.flush()
            assert holder.stdout.readline() == "held\n"
            yield
        finally:
            holder.stdin.close()  # which ends its transaction
            holder.wait(30)

    def delete_files(self):
        """Deletes the files of captures and scans."""
        for key in self.stored_keys()[0]:
            if key not in object_store.MARKER_KEYS:
                self.peer.ask("DELETE", f"/{object_store.BUCKET}/{self.folder}/live/{key}")


@pytest.fixture(scope="module")
def server(binary, s3):
    """A server on a durable PostgreSQL and an object store."""
    Node.database = Database(durable=True)
    if Node.database.programs is None:
        pytest.skip("initdb not found; run scripts/install-system test")
    server = Node(binary)
    yield server
    server.clean()
    Node.database.clean()


# ── outages and recovery ─────────────────────────────────────────────────────────────────────────────────────────────


def psql(database):
    return [*database.run_as_postgres, database.programs / "psql", "-h", str(database.folder), "-U", "mien", "-qAt", "postgres"]


def control(database, *what):
    database.call("pg_ctl", "-D", database.folder / "data", "-w", "-l", database.folder / "log", *what)


@contextlib.contextmanager
def no_database(own):
    control(own.database, "-m", "immediate", "stop")
    try:
        yield
    finally:
        own.database.start()


@contextlib.contextmanager
def no_objects(own, kind="refuse", seconds=0):
    own.peer.inject_fault(kind, -1, seconds=seconds)
    try:
        yield
    finally:
        own.peer.clear_faults()


def under_traffic(server, what, outage, refused, named, seconds=OUTAGE_SECONDS, data=None):
    """Makes a part unavailable for some seconds under traffic: requests in `refused` must get 503 and all others succeed, and
    /health/ready must report `named` in addition to its usual codes."""
    own = type(server)(server.binary, data=data, arguments=NO_LIMITS)
    try:
        process = own.process
        records = SampleRecords(own)
        with Traffic(own) as traffic:
            time.sleep(3)
            with outage(own):
                began = time.monotonic()
                while True:
                    answered, reported = records.send_requests()
                    readiness = ready(own)
                    if time.monotonic() > began + seconds:
                        break
                    time.sleep(0.5)
                assert set(reported) == set(refused), (reported, answered)
                assert readiness == (READY[0], READY[1] + named), readiness
            recovery_seconds = records.await_recovery()
            time.sleep(3)
        summary = traffic.verify()
        records.verify()
        until("ready", lambda: ready(own) == READY)
        assert own.process is process and process.poll() is None, "it was not restarted"
        check_postgres_integrity(own.database)
        names = "everything" if reported == ALL_REQUESTS else ", ".join(reported) or "nothing"
        print(f"MEASURED {what}: refused {names}; /health/ready said {readiness}; recovered after {recovery_seconds:.1f} s; {summary}")
    finally:
        own.peer.clear_faults()
        own.clean()


# These servers have no face models, so they are not ready; outages are reported in addition.
READY = (503, ["model-unavailable"])
# Requests that need the database, and those that need files; all others go on.
ALL_REQUESTS = ["capture", "read a capture", "read a part", "message", "read a message", "unlock", "check", "read a check", "scan",
              "piece of an upload", "scan in a form", "read a scan", "read a result", "list scans"]
DATABASE, OBJECTS = ["database-unavailable"], ["object-store-unavailable"]
FILE_REQUESTS = ["capture", "read a part", "scan in a form", "piece of an upload", "read a result"]


def test_stopped_postgresql_is_reported_and_recovered_from(server):
    under_traffic(server, "PostgreSQL stopped", no_database, ALL_REQUESTS, DATABASE)


def test_rejecting_object_store_is_reported_and_recovered_from(server):
    under_traffic(server, "the object store refuses (503 SlowDown)", no_objects, FILE_REQUESTS, OBJECTS)


def test_disconnecting_object_store_is_reported_and_recovered_from(server):
    under_traffic(server, "the object store drops connections", lambda own: no_objects(own, "drop"), FILE_REQUESTS, OBJECTS)


def test_late_object_store_is_reported_and_recovered_from(server):
    under_traffic(server, "the object store takes 15 s to answer", lambda own: no_objects(own, "slow", 15), FILE_REQUESTS, OBJECTS)


def test_outage_of_both_is_reported_and_recovered_from(server):
    @contextlib.contextmanager
    def both(own):
        with no_objects(own), no_database(own):
            yield
    under_traffic(server, "PostgreSQL stopped and the object store refuses", both, ALL_REQUESTS, DATABASE + OBJECTS)


def test_slow_object_store_is_waited_for(server):
    under_traffic(server, "the object store takes 1 s longer", lambda own: no_objects(own, "slow", 1), [], [])


def test_restarting_postgresql_is_reported_and_recovered_from(server):
    own, times = type(server)(server.binary, arguments=NO_LIMITS), []
    try:
        process = own.process
        records = SampleRecords(own)
        with Traffic(own) as traffic:
            for _ in range(3):
                time.sleep(2)
                control(own.database, "-m", "immediate", "restart")
                times.append(records.await_recovery())
            time.sleep(2)
        summary = traffic.verify()
        records.verify()
        assert own.process is process and process.poll() is None
        check_postgres_integrity(own.database)
        print(f"MEASURED PostgreSQL restarted 3 times (immediate): recovered after {', '.join(f'{t:.1f}' for t in times)} s; {summary}")
    finally:
        own.clean()


@contextlib.contextmanager
def full(disk):
    disk.fill()
    try:
        yield
    finally:
        disk.free()


def test_full_data_disk_is_reported_and_recovered_from(server):
    """Files of captures, uploads and results go to the object store; only temporary files need the disk."""
    disk = SmallDisk(64)
    try:
        under_traffic(server, "the data folder's disk full", lambda _: full(disk), [], ["data-directory-unavailable"],
                      data=os.path.join(disk.path, "data"))
    finally:
        disk.close()


def test_full_disk_of_postgresql_is_reported_and_recovered_from(server):
    """First the tables cannot grow; then the write-ahead log cannot either, which stops PostgreSQL, and the test restarts it."""
    disk, place = SmallDisk(160), tempfile.tempdir
    own = small = None
    try:
        tempfile.tempdir = disk.path
        try:
            small = Database(durable=True)
        finally:
            tempfile.tempdir = place
        own = type("OnSmallDisk", (type(server),), {"database": small})(server.binary, arguments=NO_LIMITS)
        process, reported = own.process, []
        records = SampleRecords(own)
        with Traffic(own) as traffic:
            for more_log in ("", "SELECT pg_switch_wal(), pg_logical_emit_message(true, '', repeat('x', 40000000))"):
                time.sleep(2)
                with full(disk):
                    if more_log:
                        subprocess.run([*psql(small), "-c", more_log], capture_output=True, cwd="/")
                    until("a refusal", lambda: records.send_requests()[1])
                    began = time.monotonic()
                    while time.monotonic() < began + OUTAGE_SECONDS / 2:
                        answered, refused = records.send_requests()
                        time.sleep(0.5)
                    if not more_log:
                        until("readiness that names it", lambda: "database-full" in ready(own)[1])
                    readiness = ready(own)
                # Debian's unit does not restart it automatically either.
                runs = subprocess.call([*small.run_as_postgres, small.programs / "pg_ctl", "-D", small.folder / "data", "status"],
                                       stdout=subprocess.DEVNULL, cwd="/") == 0
                if not runs:
                    small.start()
                reported.append(f"{'it ran on' if runs else 'it ended'}; answered {', '.join(answered) or 'nothing'}; /health/ready "
                            f"said {readiness}; recovered after {records.await_recovery():.1f} s")
                until("readiness that no longer names it", lambda: "database-full" not in ready(own)[1], seconds=20)
        summary = traffic.verify()
        records.verify()
        assert own.process is process and process.poll() is None
        check_postgres_integrity(small)
        print(f"MEASURED PostgreSQL's disk full: {reported[0]}. And with no room for its log: {reported[1]}. {summary}")
    finally:
        if own:
            own.clean()
        if small and small.programs:
            small.stop()
        disk.close()


def check_scan_survives(server, what, outage, seconds=OUTAGE_SECONDS, data=None):
    """A scan that is being processed when a part becomes unavailable completes after the outage without another request."""
    own = type(server)(server.binary, data=data, arguments=NO_LIMITS)
    try:
        process = own.process
        scan = submitted(own, small_scan(50, count=2000))
        until("its work", lambda: scans.get(own, scan)["status"] == "working")
        with outage(own):
            time.sleep(seconds)
        began = time.monotonic()
        # A server without a sign of life for 30 s loses its work to others, and waits as long after it is back.
        found = scans.settled(own, scan, seconds=90)
        assert found["status"] == "done", found["problem"]
        check_results_intact(own, found["results"])
        assert own.process is process and process.poll() is None
        print(f"MEASURED {what} under a scan's work: done {time.monotonic() - began:.1f} s after it was back")
    finally:
        own.peer.clear_faults()
        own.clean()


def test_scan_in_processing_survives_an_outage_of_postgresql(server):
    check_scan_survives(server, "PostgreSQL stopped", no_database)


def test_scan_in_processing_survives_an_outage_of_the_object_store(server):
    check_scan_survives(server, "the object store refuses", no_objects)


def test_scan_in_processing_survives_a_full_disk(server):
    disk = SmallDisk(256)
    try:
        check_scan_survives(server, "the data folder's disk full", lambda _: full(disk), data=os.path.join(disk.path, "data"))
    finally:
        disk.close()


def test_object_store_reports_a_wrong_clock_and_recovers(server):
    """Object stores reject signatures whose time differs by more than 15 minutes from their own."""
    with settable_clock(server) as (own, set_clock):
        before, parts = capture(own)
        id = expect(before, 201).json["id"]
        captures.await_analysis(own, before.json)
        set_clock(7200)
        assert is_refusal(capture(own, seed=2)[0])
        assert is_refusal(own.request("GET", f"/v1/captures/{id}/parts/photo"))
        expect(own.request("POST", "/v1/checks", {}, token=own.key), 201)
        assert any("clock" in line for line in own.lines), own.lines[-5:]
        set_clock(0)
        recovery_seconds = until("a capture after the clock was set right", lambda: capture(own, seed=3)[0].status == 201)
        check_capture(own, id, parts)
        print(f"MEASURED the clock two hours ahead: captures refused, the log names the clock; recovered after {recovery_seconds:.1f} s")


def models():
    folder = pathlib.Path(__file__).resolve().parents[3] / ".mien" / "models"
    if not folder.is_dir():
        pytest.skip(".mien/models not found; run scripts/install-parts")
    return folder


def test_removed_model_file_is_missed_at_the_next_start(server):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(models(), folder, dirs_exist_ok=True)
        own = type(server)(server.binary, arguments=["--models", folder])
        try:
            assert ready(own) == (200, [])
            name = "face_landmarks_detector.tflite"
            file = pathlib.Path(folder, name)
            lost = file.read_bytes()
            file.unlink()
            expect(own.create().frame(footage.drawn()[0], Mien_Client="page-1", Mien_Captured_At="0"), 200)
            assert ready(own) == (200, []), "the models are in memory"
            own.stop()
            own.start()
            readiness = own.request("GET", "/health/ready")
            assert readiness.status == 503 and [x["detail"] for x in readiness.json["failures"]] == [name], readiness
            frame = own.create().frame(footage.drawn()[0], Mien_Client="page-1", Mien_Captured_At="0")
            expect(frame, 503, "model-unavailable")
            assert int(frame.headers["retry-after"]) >= 1
            made, parts = capture(own)
            check_capture(own, expect(made, 201).json["id"], parts)
            file.write_bytes(lost)
            own.stop()
            own.start()
            assert ready(own) == (200, [])
            print(f"MEASURED a model file deleted: no effect until the next start, then /health/ready names {name}; "
                  f"with the file and a restart it is ready after {own.seconds_to_start:.1f} s")
        finally:
            own.clean()


def test_readiness_names_the_unavailable_part(server):
    own = type(server)(server.binary, arguments=["--models", str(models())])
    try:
        # Without the object store checks and messages still work, so a load balancer may keep routing to this server.
        for outage, what in ((no_database, (503, DATABASE)), (no_objects, (200, OBJECTS))):
            assert ready(own) == (200, [])
            with outage(own):
                noticed_after = until(f"readiness that says {what}", lambda: ready(own) == what)
                name = what[1][0].removesuffix("-unavailable").replace("-", "_")
                assert f'mien_dependency_up{{part="{name}"}} 0' in own.request("GET", "/metrics").body.decode()
            back = until("readiness when it is back", lambda: ready(own) == (200, []))
            print(f"MEASURED {what[1][0]}: /health/ready said so after {noticed_after:.1f} s with {what[0]}, and no longer {back:.1f} s "
                  "after it was back")
    finally:
        own.peer.clear_faults()
        own.clean()
