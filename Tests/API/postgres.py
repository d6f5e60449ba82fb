"""The API on PostgreSQL: a selection of the other suites' tests, two servers on one database, and what a check costs it.

usage: postgres.py --mien PATH_OF_THE_PROGRAM [NAME…]      Starts a database of its own; needs PostgreSQL's programs (Debian: postgresql).
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
import captures
import messages
import run
import scans
from capture_parts import photo
from run import claim_turn, expect, main
from server import Check, Server

TESTS = []


def test(function):
    TESTS.append(function)
    return function


class Database:
    """A database server on a socket in a folder of its own, which writes down every statement."""

    def __init__(self):
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
        self.programs = found[-1].parent if found else None
        if not found and shutil.which("initdb"):
            self.programs = pathlib.Path(shutil.which("initdb")).parent
        self.schemas = {}
        if not self.programs:
            return
        # PostgreSQL refuses to work for root; Debian's package makes a user for it.
        self.me = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mien-pg-"))
        if self.me:
            shutil.chown(self.folder, "postgres")
        self.call("initdb", "-D", self.folder / "data", "-U", "mien", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
        self.start()

    def call(self, program, *arguments):
        subprocess.run([*self.me, self.programs / program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self.call("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o",
                  f"-k '{self.folder}' -c listen_addresses='' -c fsync=off -c log_statement=all -c log_line_prefix='%p '", "start")

    def stop(self):
        self.call("pg_ctl", "-D", self.folder / "data", "-w", "-m", "fast", "stop")

    def clean(self):
        self.stop()
        shutil.rmtree(self.folder)

    def of(self, data):
        """The address for the server with this folder: each has a schema of its own."""
        schema = self.schemas.setdefault(data, f"t{len(self.schemas)}")
        return f"postgres://mien@/postgres?host={self.folder}&schema={schema}"

    def statements(self, marks, since):
        """How many statements had one of these values, the beginnings and ends of their transactions among them."""
        count, open_ones = 0, {}  # per process: how many, and whether one was ours
        with open(self.folder / "log") as log:
            log.seek(since)
            for line in log:
                found = re.match(r"(\d+) (LOG|DETAIL): +(.*)", line)
                if not found:
                    continue
                process, kind, text = found.groups()
                if kind == "LOG" and re.match(r"(statement|execute)", text):
                    statement = text.split(":", 1)[1].strip()
                    if statement == "BEGIN":
                        open_ones[process] = [0, False]
                    if process in open_ones:
                        open_ones[process][0] += 1
                        if statement in ("COMMIT", "ROLLBACK"):
                            number, ours = open_ones.pop(process)
                            count += number if ours else 0
                    elif "api_key WHERE digest" in statement:
                        count += 1
                elif kind == "DETAIL" and any(f"'{mark}'" in text for mark in marks):
                    if process in open_ones:
                        open_ones[process][1] = True
                    else:
                        count += 1
        return count


DATABASE = Database()


def beside(server, shares=True):
    """Another server on the same database."""
    folder = tempfile.mkdtemp(prefix="mien-api-")
    for space in ("", "sandbox/"):
        os.makedirs(folder + "/" + space, exist_ok=True)
        # What the servers share beside the database: the key that seals its secrets, and the files of captures and scans.
        shutil.copy(f"{server.data}/{space}mien.seal", f"{folder}/{space}mien.seal")
        if shares:
            os.symlink(f"{server.data}/{space}blobs", f"{folder}/{space}blobs")
    DATABASE.schemas[folder] = DATABASE.schemas[server.data]
    return Server(server.binary, data=folder)


@test
def two_servers_on_one_database_answer_for_each_other(server):
    other = beside(server)
    try:
        assert other.key is None, "the keys are there already"
        check = server.create(challenge="turn-left")
        expect(other.request("GET", f"/v1/checks/{check.id}", token=server.key), 200)
        there = Check(other, check.created)
        claim_turn(there, "turn-left")
        done = expect(server.request("GET", f"/v1/checks/{check.id}", token=server.key), 200).json
        assert done["state"] == "passed", done
        message = messages.lock(server)
        for turn, left in enumerate((9, 8, 7)):
            node = (other, server)[turn % 2]
            assert messages.attempt(node, message, messages.OTHER)["attempts_left"] == left
    finally:
        other.clean()


@test
def captures_and_scans_sent_to_one_server_are_read_at_another(server):
    other = beside(server)
    try:
        picture = photo(3)
        taken = captures.post(server, {"photo": picture})
        assert captures.look(other, taken)["state"] == "analysed"
        assert expect(other.request("GET", taken["photo"]["url"]), 200).body == picture
        scan = scans.post(server, scans.parts(count=3))
        made = scans.done(other, scan)["results"]
        surface = next(file for file in made if file["name"] == "model.ply")
        for node in (server, other):
            assert hashlib.sha256(expect(node.request("GET", surface["url"]), 200).body).hexdigest() == surface["sha256"]
        expect(other.request("DELETE", f"/v1/scans/{scan}"), 204)
        expect(other.request("DELETE", "/v1/captures/" + taken["id"], token=server.key), 204)
        expect(server.request("GET", f"/v1/scans/{scan}"), 404)
        names = [name for _, _, files in os.walk(server.data + "/blobs") for name in files]
        assert [name[:6] for name in names] == ["place-"], "what was erased at one server is gone at all"
        assert other.stop() == 0
    finally:
        other.clean()


@test
def a_server_that_does_not_see_the_others_files_does_not_start(server):
    try:
        beside(server, shares=False).clean()
    except RuntimeError as error:
        assert "All servers on one database need the same files" in str(error), error
    else:
        raise AssertionError("it started")


@test
def captures_of_the_sandbox_outlive_a_restart(server):
    key, picture = run.keys(server, "api", "--sandbox")["api_key"], photo(4)
    taken = captures.post(server, {"photo": picture}, key=key)
    assert server.stop() == 0
    server.start()
    assert expect(server.request("GET", taken["photo"]["url"]), 200).body == picture


class Embedded(Server):
    """A server on the databases in its folder."""
    environment = None


@test
def a_whole_installation_moves_there_and_back(server):
    def moved(*arguments, code=0):
        made = subprocess.run([server.binary, "migrate-store", *arguments], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "MIEN_STORE": DATABASE.of(here.data)})
        assert made.returncode == code and "@" not in made.stdout + made.stderr, made
        return made.stdout + made.stderr

    def result(node):
        found = expect(node.request("GET", f"/v1/checks/{check.id}", token=here.key), 200).json
        # A signature is another one every time; what is signed is the same.
        return {**found, "signed": found["signed"].rsplit(".", 1)[0]}

    def look(node):
        node.key = here.key
        assert result(node) == decided, result(node)
        assert expect(node.request("GET", taken["photo"]["url"]), 200).body == picture
        return messages.attempt(node, message, messages.OTHER)["attempts_left"]

    here = Embedded(server.binary)
    check, picture = here.create(challenge="turn-left", reference="a ü \U0001F9D1"), photo(5)
    claim_turn(check, "turn-left")
    decided = result(here)
    taken, message = captures.post(here, {"photo": picture}), messages.lock(here)
    captures.look(here, taken)
    assert "open" in moved("--from", here.data, code=1), "the server is at work on it"
    assert here.stop() == 0
    first = moved("--from", here.data)
    assert "live: " in first and "sandbox: " in first and "  verdict 1\n" in first and "  capture 1\n" in first, first
    assert "were there already, every one compared" in moved("--from", here.data)
    there = Server(server.binary, data=here.data)
    assert look(there) == 9
    assert "A server is at work" in moved("--to", here.data + "/elsewhere", code=1)
    assert there.stop() == 0
    for name in ("mien.sqlite", "sandbox/mien.sqlite"):
        os.remove(f"{here.data}/{name}")
    assert "  message 1\n" in moved("--to", here.data)
    back = Embedded(server.binary, data=here.data)
    assert look(back) == 8, "the attempts count on"
    back.clean()


@test
def a_check_costs_few_statements(server):
    since = os.path.getsize(DATABASE.folder / "log")
    check = server.create(challenge="turn-left", person="counted", device="phone-counted")
    claim_turn(check, "turn-left")
    assert expect(check.result(), 200).json["state"] == "passed"
    count = DATABASE.statements([check.id, "counted", "phone-counted"], since)
    print(f"MEASURED statements for a check of a person on a device, from its creation to its result: {count}")
    assert 4 <= count <= 12, count


@test
def a_restart_of_the_database_is_told_and_heals(server):
    check = server.create(challenge="turn-left")
    DATABASE.stop()
    try:
        expect(server.request("GET", f"/v1/checks/{check.id}", token=server.key), 503)
        assert server.process.poll() is None
    finally:
        DATABASE.start()
    deadline = time.monotonic() + 60
    while server.request("GET", f"/v1/checks/{check.id}", token=server.key).status != 200:
        assert time.monotonic() < deadline, "the server did not come back"
        time.sleep(0.2)


@test
def an_address_that_is_none_stops_the_start_and_is_not_repeated(server):
    for address in ["mysql://u:swordfish@h/d", "postgres://u:swordfish@h/d?nonsense=1", "postgres://u:swordfish@h/d?connection_limit=0"]:
        made = subprocess.run([server.binary, "serve", "--port", "0", "--data", "/nowhere", "--store", address],
                              capture_output=True, text=True, timeout=30)
        assert made.returncode == 64 and "--store takes" in made.stderr, made
        assert "swordfish" not in made.stderr.split("Usage:")[0], made.stderr


# Of the others' tests those that ask the most of a store.
TESTS += [
    run.a_check_is_created_and_read, run.a_claimed_turn_passes_and_its_verdict_survives_kill_9,
    run.a_person_is_erased_with_all_that_is_theirs,
    messages.a_message_opens_to_who_performs_its_sequence, messages.two_who_perform_at_once_do_not_both_see_the_last_view,
    messages.the_sender_deletes_with_the_receipt,
]

if __name__ == "__main__":
    if DATABASE.programs is None:
        print("SKIPPED the API on PostgreSQL: initdb not found; run scripts/install-system test")
        print(f"0 passed, 0 failed, {len(TESTS)} skipped")
        sys.exit(0)
    Server.store = DATABASE.of
    try:
        main(TESTS)
    finally:
        DATABASE.clean()
