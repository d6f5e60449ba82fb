"""The API on PostgreSQL: a selection of the other suites' tests, two servers on one database, and what a check costs it.

usage: postgres.py --mien PATH_OF_THE_PROGRAM [NAME…]      Starts a database of its own; needs PostgreSQL's programs (Debian: postgresql).
"""

import hashlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(__file__))
import attestations
import aws
import captures
import footage
import messages
import run
import s3
import s3_peer
import scans
import sealed
import survival
import tracing
from attest_parts import APP, Apple, AttestedPhone
from between import Journeys, Pooler
from capture_parts import photo
from database import Database
from run import claim_turn, expect, main
from server import Check, Server

TESTS = []


def test(function):
    TESTS.append(function)
    return function


DATABASE = Database()


def beside(server, shares=True, kind=Server):
    """Another server on the same database."""
    folder = tempfile.mkdtemp(prefix="mien-api-")
    for space in ("", "sandbox/"):
        os.makedirs(folder + "/" + space, exist_ok=True)
        # What the servers share beside the database: the key that seals its secrets, and the files of captures and scans.
        shutil.copy(f"{server.data}/{space}mien.seal", f"{folder}/{space}mien.seal")
        if shares:
            os.symlink(f"{server.data}/{space}blobs", f"{folder}/{space}blobs")
    DATABASE.schemas[folder] = DATABASE.schemas[server.data]
    return kind(server.binary, data=folder)


class Embedded(Server):
    """A server on the databases in its folder."""
    environment = None


@test
def two_servers_on_one_database_answer_for_each_other(server):
    other = beside(server)
    try:
        assert other.key is None, "the keys are there already"
        check = server.claimed(challenge="turn-left")
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
def a_check_goes_on_at_another_server_when_its_own_is_killed(server):
    # On a machine that is busy with other things a check may lie still for longer than a person's may: then once more.
    for attempt in range(3):
        first = beside(server)
        try:
            check = server.claimed(challenge="turn-left")
            performer = survival.Performer(check)
            performer.until(first, survival.half_way)
            there = len(performer.steps)
            first.kill()
            killed = time.monotonic()
            performer.until(server, survival.is_over)
            made = survival.result(server, check, server.key)
            if made["state"] != "passed" and attempt < 2:
                print(f"a check whose server was killed was {made['state']} ({made.get('reason')}): once more")
                continue
            assert made["state"] == "passed", made
            assert performer.steps[there]["state"] == "tracking", "it did not begin anew"
            assert made["frames"] > len(performer.steps) - there, "what the first server saw counts"
            waited, seconds = survival.lost(performer, made, killed)
            # Counted in what was seen, not by a clock: a server looks at nothing while its last state is older than half a second.
            assert seconds <= 1, (seconds, made["frames"], len(performer.steps))
            print(f"MEASURED a check whose server was killed: another answered after {waited:.2f} s, "
                  f"{seconds:.2f} s of what had been seen was lost, refused {performer.refused} times meanwhile")
            return
        finally:
            first.clean()


@test
def a_performance_goes_on_at_another_server_when_its_own_is_killed(server):
    first = beside(server)
    try:
        message = messages.lock(server, steps=messages.FIVE, views=1)
        # Begun at one server, performed at another, and ended at the first.
        maker = survival.FaceMaker(messages.unlock(server, message), messages.FIVE)
        maker.until(first, lambda step: len(step["performed"]) == 2 and step["hold"] > 0.3)
        there = len(maker.steps)
        first.kill()
        killed = time.monotonic()
        maker.until(server, lambda step: True)
        waited = time.monotonic() - killed
        assert len(maker.steps[there]["performed"]) >= 1, "no more than a quarter of a second is lost"
        last = maker.until(server, lambda step: step["state"] == "opened")
        assert last["performed"] == messages.FIVE and last["views_left"] == 0, last
        assert messages.state(server, message)["state"] == "read"
        print(f"MEASURED a performance whose server was killed: another answered after {waited:.2f} s, refused {maker.refused} times")
        # Whoever asks again is told again, at any server, whatever became of the one that opened it.
        other = beside(server)
        try:
            assert maker.say(other)["text"] == last["text"]
        finally:
            other.clean()
    finally:
        first.clean()


@test
def a_recording_made_at_one_server_locks_at_another(server):
    other = beside(server)
    try:
        begun = expect(server.request("POST", "/v1/messages/recordings", {"steps": 3}), 201).json
        maker = survival.FaceMaker(messages.Performance(server, begun), messages.THREE)
        maker.until(server, lambda step: step["state"] == "recorded")
        wish = {"text": "hi", "recording": {"id": begun["id"], "token": begun["token"]}, "requires_frames": False}
        locked = [expect(node.request("POST", "/v1/messages", wish), 201).json for node in (other, server, other)]
        assert len({(made["id"], made["receipt"]) for made in locked}) == 1, "it locks one message"
        expect(server.request("POST", "/v1/messages", {**wish, "text": "ho"}), 404, "not-found")
        assert messages.attempt(other, locked[0], messages.THREE)["text"] == "hi"
    finally:
        other.clean()


@test
def two_servers_do_not_both_lead_one_check(server):
    other = beside(server)
    try:
        for attempt in range(3):
            check = server.claimed(challenge="turn-left")
            performer = survival.Performer(check)
            performer.until(server, survival.half_way)
            # The server lives and has the check: another one refuses it, again and again, and it goes on where it was.
            led = [performer.say(node) is not None for node in (server, other) * 10]
            if led == [True, False] * 10 or attempt == 2:  # a machine that is busy may let a hold run out
                break
        assert led == [True, False] * 10, led
        performer.until(server, survival.is_over)
        assert survival.result(other, check, server.key)["state"] == "passed"
        # One that ends orderly lets go of what it has, nothing of it is lost, and nobody waits.
        check = server.claimed(challenge="turn-left", attempts=2)
        performer = survival.Performer(check)
        performer.until(other, survival.half_way)
        assert other.stop() == 0
        assert performer.say(server) and performer.refused == 0
        performer.until(server, survival.is_over)
        made = survival.result(server, check, server.key)
        assert made["frames"] == len(performer.steps), (made, len(performer.steps))
    finally:
        other.clean()


class Seeing(Server):
    """A server with models: only where something is seen there is a film."""

    def __init__(self, binary, data=None, arguments=()):
        super().__init__(binary, data, arguments, sees=True)


def reels(node):
    return [path.name for path in pathlib.Path(node.data, "reels").iterdir()]


def soon_over(node, check):
    """Its time is over in two seconds, and not in three minutes."""
    DATABASE.call("psql", "-X", "-q", "-h", DATABASE.folder, "-U", "mien", "-d", "postgres", "-c",
                  f"UPDATE {DATABASE.schemas[node.data]}.liveness_check "
                  f"SET expires_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 2000 WHERE id = '{check.id}'")


@test
def each_server_makes_the_films_of_the_checks_that_came_to_it(server):
    def kind(*more):
        return lambda *arguments, **how: Seeing(*arguments, **how, arguments=["--lifetime", "8", *more])

    first, others = kind()(server.binary), []
    try:
        others = [beside(first, kind=kind()), beside(first, kind=kind("--no-films"))]
        made = []
        for node in (first, *others):
            check = first.create(clip=True)
            check.server = node
            for picture in footage.drawn()[:3]:
                expect(check.frame(picture), 200)
            assert reels(node) == [check.id + ".reel"]
            made.append(check)
        deadline = time.monotonic() + 40
        for check, wanted in zip(made, ("ready", "ready", "failed")):
            while (told := survival.result(first, check, first.key)).get("clip") in (None, "pending"):
                assert time.monotonic() < deadline, told
                time.sleep(0.1)
            assert told["clip"] == wanted, told
            # Whoever is asked has the film.
            for node in (first, *others):
                reply = expect(node.request("GET", f"/v1/checks/{check.id}/clip", token=first.key), 200 if wanted == "ready" else 404)
                assert wanted == "failed" or b"ftyp" in reply.body[:12], reply.body[:40]
        assert reels(first) == reels(others[0]) == reels(others[1]) == []
    finally:
        first.clean()
        for other in others:
            other.clean()


@test
def a_film_of_which_two_servers_have_a_half_each_is_told_as_failed_and_both_halves_go(server):
    first, other = Seeing(server.binary), None
    try:
        other = beside(first, kind=Seeing)
        check = first.create(clip=True)
        expect(check.frame(footage.drawn()[0]), 200)
        assert reels(first) == [check.id + ".reel"]
        assert first.stop() == 0
        soon_over(first, check)
        check.server = other
        expect(check.frame(footage.drawn()[1]), 200)
        assert reels(other) == [], "what comes from here on is half a film, too"
        deadline = time.monotonic() + 30
        while (made := survival.result(other, check, first.key)).get("clip") in (None, "pending"):
            assert time.monotonic() < deadline, made
            time.sleep(0.1)
        assert (made["state"], made["reason"], made["frames"], made["clip"]) == ("timed-out", "expired", 2, "failed"), made
        expect(other.request("GET", f"/v1/checks/{check.id}/clip", token=first.key), 404)
        assert reels(first) == [check.id + ".reel"] and reels(other) == []
        # It looks through its reels when it starts and once a minute.
        first.sees = False
        first.start()
        while reels(first):
            assert time.monotonic() < deadline, "half a film stays"
            time.sleep(0.1)
    finally:
        first.clean()
        if other:
            other.clean()


@test
def a_check_goes_on_when_a_server_with_its_own_database_is_killed(server):
    # With models, as people have it: loading them is most of the time that is measured.
    here = Embedded(server.binary, sees=True)
    try:
        check = here.claimed(challenge="turn-left", attempts=2)
        performer = survival.Performer(check)
        performer.until(here, survival.half_way)
        there = len(performer.steps)
        here.kill()
        killed = time.monotonic()
        here.start()
        performer.until(here, survival.is_over)
        made = survival.result(here, check, here.key)
        assert made["state"] == "passed", made
        assert made["frames"] > len(performer.steps) - there, "what was seen before counts"
        waited, seconds = survival.lost(performer, made, killed)
        print(f"MEASURED a check whose only server was killed and started again: it answered after {waited:.2f} s, "
              f"{seconds:.2f} s of what had been seen was lost, and went on {performer.steps[there]['state']}")
    finally:
        here.clean()


@test
def captures_and_scans_sent_to_one_server_are_read_at_another(server):
    # Photos of scans are looked at for faces.
    here = Server(server.binary, sees=True)
    other = beside(here, kind=lambda *start, **with_: Server(*start, sees=True, **with_))
    try:
        picture = photo(3)
        taken = captures.post(here, {"photo": picture})
        assert captures.look(other, taken)["state"] == "analysed"
        assert expect(other.request("GET", taken["photo"]["url"]), 200).body == picture
        scan = scans.post(here, scans.parts(count=3))
        made = scans.done(other, scan)["results"]
        surface = next(file for file in made if file["name"] == "model.ply")
        for node in (here, other):
            assert hashlib.sha256(expect(node.request("GET", surface["url"]), 200).body).hexdigest() == surface["sha256"]
        expect(other.request("DELETE", f"/v1/scans/{scan}"), 204)
        expect(other.request("DELETE", "/v1/captures/" + taken["id"], token=here.key), 204)
        expect(here.request("GET", f"/v1/scans/{scan}"), 404)
        names = [name for _, _, files in os.walk(here.data + "/blobs") for name in files]
        assert [name[:6] for name in names] == ["place-"], "what was erased at one server is gone at all"
        assert other.stop() == 0
    finally:
        other.clean()
        here.clean()


def files(node):
    """Names of the files that are kept for captures, scans and pieces of uploads."""
    return sorted(name for folder, _, names in os.walk(node.data + "/blobs") for name in names
                  if not name.startswith("place-") and not folder.endswith("/drafts"))


@test
def an_upload_goes_on_at_another_server_when_its_own_is_killed(server):
    here = Server(server.binary, sees=False)
    other = beside(here, kind=lambda *start, **with_: Server(*start, sees=False, **with_))
    try:
        body = os.urandom(11 << 20)
        scan = scans.create(here, [{"name": "scan.zip", "bytes": len(body)}])
        upload = scan["files"][0]["upload"]
        scans.patch(here, upload, 0, body[:1 << 20])
        scans.patch(other, upload, 1 << 20, body[1 << 20:2 << 20], **{"Upload-Checksum": scans.checksum(body[1 << 20:2 << 20])})
        scans.patch(here, upload, 1 << 20, b"x", 409, "offset-mismatch")
        # Most of a piece comes, then its server dies before the last byte.
        with socket.create_connection(("127.0.0.1", here.port)) as line:
            line.sendall((f"PATCH {upload} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: {2 << 20}\r\n"
                          f"Content-Type: {scans.OCTETS}\r\nContent-Length: {9 << 20}\r\n\r\n").encode())
            line.sendall(body[2 << 20:10 << 20])
            deadline = time.monotonic() + 30
            while int(scans.head(other, upload).headers["upload-offset"]) == 2 << 20:
                assert time.monotonic() < deadline, "nothing of the piece was noted"
                time.sleep(0.05)
            here.kill()
        offset = int(scans.head(other, upload).headers["upload-offset"])
        assert 2 << 20 < offset <= 10 << 20, offset
        # What came is sealed, and not in the folder of the one that died.
        assert not scans.files_on_disk(here, "uploads")
        for folder, _, names in os.walk(here.data + "/blobs"):
            for name in names:
                assert body[:64] not in pathlib.Path(folder, name).read_bytes()
        scans.patch(other, upload, offset, body[offset:])
        file = scans.get(other, scan["id"])["files"][0]
        assert file["sha256"] == hashlib.sha256(body).hexdigest()
        assert other.request("GET", file["url"]).body == body
        # What the dead one was writing is a draft, which nobody sees.
        kept = files(here)
        assert len(kept) == 1, ("the pieces went when they became a file", kept)
        # One that is not wanted any more leaves nothing, wherever its pieces came in.
        scan = scans.create(other, [{"name": "scan.zip", "bytes": len(body)}])
        upload = scan["files"][0]["upload"]
        scans.patch(other, upload, 0, body[:5 << 20])
        here.start()
        scans.patch(here, upload, 5 << 20, body[5 << 20:6 << 20])
        expect(here.request("DELETE", f"/v1/scans/{scan['id']}"), 204)
        assert files(here) == kept, files(here)
        # One whose pieces somebody has lost, as a restore of the database without all files does, begins anew.
        scan = scans.create(other, [{"name": "scan.zip", "bytes": 3000}])
        upload = scan["files"][0]["upload"]
        scans.patch(other, upload, 0, body[:2000])
        for name in set(files(here)) - set(kept):
            next(pathlib.Path(here.data, "blobs").resolve().rglob(name)).unlink()
        scans.patch(here, upload, 2000, body[2000:3000], 409, "offset-mismatch")
        assert scans.head(other, upload).headers["upload-offset"] == "0"
        scans.patch(other, upload, 0, body[:3000])
        assert scans.get(here, scan["id"])["files"][0]["sha256"] == hashlib.sha256(body[:3000]).hexdigest()
        print(f"MEASURED an upload of 11 MB whose server was killed went on at another from byte {offset}")
    finally:
        other.clean()
        here.clean()


@test
def a_server_that_does_not_see_the_others_files_does_not_start(server):
    try:
        beside(server, shares=False).clean()
    except RuntimeError as error:
        assert "All servers on one database need the same files" in str(error), error
    else:
        raise AssertionError("it started")


@test
def servers_that_share_a_database_and_a_bucket_share_nothing_else(server):
    try:
        s3.BucketServer.peer = s3_peer.Peer()
    except ImportError:
        raise run.Skip("moto not found; run scripts/install-test-tools") from None
    s3.BucketServer.peer.bucket(s3.BUCKET)

    address = f"s3://{s3.BUCKET}/clinic?endpoint=http://127.0.0.1:{s3.BucketServer.peer.port}"

    class Node(Server):
        @property
        def environment(self):
            return s3.surroundings(MIEN_STORE=Server.store(self.data), MIEN_BLOBS=address)

    first, other = Node(server.binary), None
    try:
        other = beside(first, shares=False, kind=Node)
        picture = photo(6)
        taken = captures.post(first, {"photo": picture})
        assert captures.look(other, taken)["state"] == "analysed"
        assert expect(other.request("GET", taken["photo"]["url"]), 200).body == picture
        assert not s3.on_disk(first) and not s3.on_disk(other)
        first.kill()
        expect(other.request("DELETE", "/v1/captures/" + taken["id"], token=taken["receipt"]), 204)
        left = [key.split("/")[-1] for key in s3.BucketServer.peer.keys(s3.BUCKET)["keys"] if "/live/" in key]
        assert sorted(name[:6] for name in left) == ["mien-i", "place-"], left
    finally:
        first.clean()
        if other:
            other.clean()
        s3.BucketServer.peer.stop()


@test
def a_challenge_of_one_server_is_good_at_another_once_and_so_is_an_assertion(server):
    apple = Apple()
    with tempfile.NamedTemporaryFile(suffix=".pem") as root:
        root.write(apple.pem())
        root.flush()

        class Believing(Server):
            def __init__(self, binary, data=None):
                super().__init__(binary, data, ["--app-attest-root", root.name, "--app-attest-app", APP])

        first, other = Believing(server.binary), None
        try:
            other = beside(first, kind=Believing)
            phone = AttestedPhone(first, apple)
            wish = phone.body(phone.challenge().json["challenge"])
            phone.server = other
            expect(phone.attest(wish), 201)
            phone.server = first
            assert 'step "challenge"' in expect(phone.attest(wish), 422).json["detail"]
            parts = phone.assert_over(phone.sign({"photo": b"photo"}))
            assert attestations.told(first, parts)[0] == ("pass", ["capture-asserted"])
            assert attestations.told(other, parts)[0] == ("fail", ["assertion-repeated"])
        finally:
            first.clean()
            if other:
                other.clean()


@test
def captures_of_the_sandbox_outlive_a_restart(server):
    key, picture = run.keys(server, "api", "--sandbox")["api_key"], photo(4)
    taken = captures.post(server, {"photo": picture}, key=key)
    assert server.stop() == 0
    server.start()
    assert expect(server.request("GET", taken["photo"]["url"]), 200).body == picture


@test
def a_whole_installation_moves_there_and_back(server):
    def moved(*arguments, code=0):
        made = subprocess.run([server.binary, "migrate-store", *arguments], capture_output=True, text=True, timeout=120,
                              env={**os.environ, "MIEN_STORE": DATABASE.of(here.data)})
        assert made.returncode == code and "@" not in made.stdout + made.stderr, made
        return made.stdout + made.stderr

    def result(node):
        return expect(node.request("GET", f"/v1/checks/{check.id}", token=here.key), 200).json

    def look(node):
        node.key = here.key
        assert result(node) == made, result(node)
        assert expect(node.request("GET", taken["photo"]["url"]), 200).body == picture
        return messages.attempt(node, message, messages.OTHER)["attempts_left"]

    here = Embedded(server.binary)
    check, picture = here.claimed(challenge="turn-left", reference="a ü \U0001F9D1"), photo(5)
    made = result(here)
    taken, message = captures.post(here, {"photo": picture}), messages.lock(here)
    captures.look(here, taken)
    assert "open" in moved("--from", here.data, code=1), "the server is at work on it"
    assert here.stop() == 0
    first = moved("--from", here.data)
    assert "live: " in first and "sandbox: " in first and "  liveness_check 1\n" in first and "  capture 1\n" in first, first
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
def the_doctor_looks_at_it_and_makes_nothing(server):
    def doctor(code, **named):
        clean = {name: value for name, value in os.environ.items() if name != "MIEN_STORE"}
        made = subprocess.run([server.binary, "doctor", "--json", "--data", server.data], capture_output=True, text=True,
                              timeout=60, env={**clean, **named})
        found = next(line for line in json.loads(made.stdout) if line["part"] == "database")
        assert found["ok"] is (code == 0) and "@" not in made.stdout + made.stderr, made
        return found["what"]

    named = DATABASE.of(server.data)
    assert "is up to date" in doctor(0, MIEN_STORE=named)
    away = named.replace("schema=", "schema=no_")
    for _ in range(2):  # looking makes nothing
        assert "it has no schema no_" in doctor(0, MIEN_STORE=away)
    doctor(1, MIEN_STORE="postgres://nobody:secret@127.0.0.1:1/none")
    assert "MIEN_STORE does not name it" in doctor(0)


@test
def a_check_costs_few_statements(server):
    since, began = os.path.getsize(DATABASE.folder / "log"), time.monotonic()
    check = server.claimed(challenge="turn-left", person="counted", device="phone-counted")
    claim_turn(check, "turn-left")
    assert expect(check.result(), 200).json["state"] == "passed"
    seconds = time.monotonic() - began
    count = DATABASE.statements([check.id, "counted", "phone-counted"], since)
    # The states of all checks that a server has go in one statement, which is no check's own.
    with open(DATABASE.folder / "log") as log:
        log.seek(since)
        together = sum("DETAIL" in line and f'"check":"{check.id}"' in line for line in log)
    print(f"MEASURED statements for a check of a person on a device, from its creation to its result: {count}; besides, "
          f"in {seconds:.1f} s, {together} that keep the states of all checks under way on the server")
    assert 4 <= count <= 12, count
    assert 1 <= together <= 4 * seconds + 2, together


@test
def what_belongs_together_goes_in_one_journey(server):
    way = Journeys(DATABASE)

    class Far(Server):
        store = staticmethod(lambda data: way.of(DATABASE.of(data)))

    far = Far(server.binary)
    try:
        def journeys(act):
            """What an act takes by itself: the server's own work goes on beside it, so the least of several counts."""
            found = []
            for number in range(6):
                before = way.count
                act(number)
                found.append(way.count - before)
            return min(found)

        made = subprocess.run([far.binary, "keys", "add", "aws", "--json", "--data", far.data], capture_output=True,
                              text=True, check=True, env=far.environment)
        key = json.loads(made.stdout)

        def session(number):
            body = json.dumps({"ClientRequestToken": f"token-{number}"})
            expect(aws.raw(far, body, aws.signed(far, body, key=key)), 200)

        plain = journeys(lambda _: far.create(challenge="turn-left"))
        # One to know the key that signed, one to begin, to wait for the token's turn and to look for it, one for the check, its
        # session and the end.
        dialect = journeys(session)
        print(f"MEASURED journeys to the database: {plain} for a new check, {dialect} for a session that a request token names")
        assert plain == 1, plain
        assert dialect <= 3, dialect
    finally:
        far.clean()
        way.close()


@test
def behind_a_pooler_that_hands_connections_on_everything_holds(server):
    if Pooler.program is None:
        print("SKIPPED a pooler: pgbouncer not found; run scripts/install-system test")
        return
    pooler = Pooler(DATABASE)

    class Pooled(Server):
        store = staticmethod(lambda data: pooler.of(DATABASE.of(data)))

    pooled = Pooled(server.binary)
    try:
        for act in (run.a_check_is_created_and_read, run.a_claimed_turn_passes_and_its_verdict_survives_kill_9,
                    run.a_person_is_erased_with_all_that_is_theirs, messages.two_who_perform_at_once_do_not_both_see_the_last_view):
            act(pooled)
        # A statement that is refused among others that went with it leaves nothing behind for whoever has the connection next.
        for _ in range(20):
            expect(pooled.request("GET", "/v1/checks/none", token=pooled.key), 404)
            pooled.create(challenge="turn-left")
    finally:
        pooled.clean()
        pooler.close()


@test
def a_dump_and_the_databases_own_log_hold_no_face_and_no_measure(server):
    since = os.path.getsize(DATABASE.folder / "log")
    own = Server(server.binary, arguments=["--allow-private-webhooks"])
    try:
        used = sealed.Used(own)
        measures = used.measures()
        assert len(measures) > 8, measures
        DATABASE.call("pg_dump", "-h", DATABASE.folder, "-U", "mien", "-f", DATABASE.folder / "dump",
                      "-n", DATABASE.schemas[own.data], "postgres")
        dump = (DATABASE.folder / "dump").read_bytes()
        with open(DATABASE.folder / "log", "rb") as log:
            log.seek(since)
            said = log.read()
        assert used.checks[0].id.encode() in dump and used.checks[0].id.encode() in said, "both are of this server"
        sealed.nowhere([*measures, used.photo[200:232], b'"noseRelief"', b'"native"', b"captured_at", b"0.73451"],
                       {"dump": dump, "log": said, **sealed.haystack(own)})
    finally:
        own.clean()


@test
def a_rotation_that_is_killed_goes_on_when_the_dead_are_forgotten(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"])
    try:
        used = sealed.Used(own)
        before, old = used.told(), sealed.seal(own)
        own.stop()
        began = time.monotonic()
        sealed.rotate(own)
        whole, cut = time.monotonic() - began, 0
        for share in (0.5, 0.7, 0.9):
            process = subprocess.Popen([own.binary, "keys", "rotate-seal", "--data", own.data], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, env=own.environment)
            time.sleep(share * whole)
            process.kill()
            process.communicate()
            cut += sealed.seal(own).count(b"\nkey ") > 1
            # Servers that start wait until the dead one is forgotten, and then open everything.
            own.start()
            assert used.told() == before
            own.stop()
        print(f"         a rotation took {whole:.2f} s; of 3 that were killed {cut} were cut off between the old key and the new")
        sealed.rotate(own, "--finish")
        assert sealed.seal(own).count(b"\nkey ") == 1 and sealed.base64.b64encode(old) not in sealed.seal(own)
        own.start()
        assert used.told() == before
        used.works()
    finally:
        own.clean()


@test
def a_restart_of_the_database_is_told_and_heals(server):
    check = server.claimed(challenge="turn-left")
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
    messages.the_sender_deletes_with_the_receipt, sealed.a_rotated_seal_opens_everything_and_the_old_key_is_gone,
    sealed.a_rotation_without_the_right_database_drops_no_key,
    tracing.a_request_is_a_part_of_its_callers_trace_and_the_database_of_the_request,
]

if __name__ == "__main__":
    if DATABASE.programs is None:
        print("SKIPPED the API on PostgreSQL: initdb not found; run scripts/install-system test")
        print(f"0 passed, 0 failed, {len(TESTS)} skipped")
        sys.exit(0)
    Server.store = DATABASE.of
    Server.sees = False
    try:
        main(TESTS)
    finally:
        DATABASE.clean()
