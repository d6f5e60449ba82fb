"""Tests of the stored data of messages, of message numbers in images, and of custom avatars."""

import base64
import json
import os
import pathlib
import subprocess
import tempfile

from support.checks import JPEG
from support.expressions import NAMES
from support.messages import FIVE, THREE, attempt, database, lock, read_id, state, without_comment
from support.replies import expect
from support.server import Server


def test_database_and_gifs_contain_no_text_and_no_sequence(server):
    own = Server(server.binary, loads_models=False)
    try:
        twelve = ["smile", "wink_l", "smooch", "wink_l", "smooch", "wink_r"] * 2
        sent = [
            lock(own, text="a quite unusual sentence", steps=FIVE), lock(own, text="שלום עולם 🍕", steps=THREE),
            lock(own, text="another peculiar phrase", mode="secret", steps=twelve), lock(own, text="burnt words", views=1)]
        assert attempt(own, sent[0], THREE + ["smile", "wink_l"])["state"] == "wrong"
        assert attempt(own, sent[3], THREE)["state"] == "opened"
        gifs = [expect(own.request("GET", message["gif"]), 200).body for message in sent[:3]]
        dump = "\n".join(database(own).iterdump())
        files = [path.read_bytes() for path in pathlib.Path(own.data).rglob("*") if path.is_file() and path.suffix != ".keyring"]
        assert len(files) >= 2 and sent[0]["id"] in dump, "the dump has the messages"
        contents = [dump.encode(), dump.lower().encode(), *files, *gifs]
        secrets = []
        for text in ("a quite unusual sentence", "שלום עולם 🍕", "another peculiar phrase", "burnt words"):
            raw = text.encode()
            secrets += [raw, text.encode("utf-16-le"), raw.hex().encode(), base64.b64encode(raw).rstrip(b"=")[:-1]]
        numbers = {name: index for index, name in enumerate(NAMES)}
        for steps in (FIVE, THREE, twelve, THREE + ["smile", "wink_l"]):
            secrets += [",".join(steps).encode(), json.dumps(steps).encode()]
            if len(steps) > 4:
                raw = bytes(numbers[step] for step in steps)
                secrets += [raw, raw.hex().encode(), "".join(str(byte) for byte in raw).encode()]
        secrets += [name.encode() for name in ("wink_l", "wink_r", "smooch")]
        secrets += [message["receipt"].encode() for message in sent]
        for secret in secrets:
            for where, content in enumerate(contents):
                assert secret not in content, f"{secret!r} is in content {where}"
        # A database without its keyring opens nothing: every message key is derived from the keyring as well.
        own.stop()
        pathlib.Path(own.data, "mien.keyring").write_bytes(os.urandom(32))
        with database(own) as db:
            db.execute("DELETE FROM encrypted_secret")
        own.start()
        assert attempt(own, sent[0], FIVE)["state"] == "wrong"
        expect(own.request("GET", sent[0]["gif"]), 503, "unavailable")
    finally:
        own.clean()


def test_lists_of_messages_need_a_key_and_contain_no_text(server):
    lock(server, text="only for you")
    for path in ("/v1/messages", "/v1/messages/"):
        expect(server.request("GET", path), 401, "unauthorized")
        listed = expect(server.request("GET", path, token=server.key), 200)
        assert b"only for you" not in listed.body and b"smile" not in listed.body and b"rcp_" not in listed.body, listed
    for path in ("/v1/performances", "/v1/messages/recordings"):
        for token in (None, server.key):
            assert server.request("GET", path, token=token).status in (404, 405, 422), path


def ffmpeg(source, kind, *arguments):
    """Returns the image as converted by ffmpeg."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = os.path.join(folder, "before"), os.path.join(folder, "after." + kind)
        pathlib.Path(before).write_bytes(source)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", before, *arguments, after], check=True)
        return pathlib.Path(after).read_bytes()


def test_message_id_is_read_from_pixels_without_side_effects(server):
    message = lock(server, views=1, avatar="fox", steps=FIVE)
    gif = expect(server.request("GET", message["gif"]), 200).body
    number = message["id"]
    assert read_id(server, gif) == {"found": "comment", "id": number}
    bare = without_comment(gif)
    assert number.encode() not in bare and read_id(server, bare) == {"found": "pixels", "id": number}
    still = ffmpeg(gif, "png", "-vf", r"select=eq(n\,10),pad=500:700:33:120:gray", "-frames:v", "1")
    assert read_id(server, still, "image/png") == {"found": "pixels", "id": number}
    assert read_id(server, ffmpeg(still, "jpg", "-q:v", "9"), JPEG) == {"found": "pixels", "id": number}
    # A replaced label with another valid ID cannot be detected; one with three characters painted over can.
    patched = ffmpeg(still, "png", "-vf", "drawbox=x=86:y=314:w=52:h=26:color=white:t=fill")
    assert read_id(server, patched, "image/png") == {"found": "damaged"}
    assert state(server, message)["views_left"] == 1 and state(server, message)["attempts_left"] == 10
    assert attempt(server, message, FIVE)["state"] == "opened"
    assert read_id(server, bare)["id"] == number, "it is not looked up"


def test_reports_images_without_an_id_and_non_images(server):
    teal = subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=teal:s=256x256", "-frames:v", "1", "-f", "image2pipe",
                           "-c:v", "png", "-"], capture_output=True, check=True).stdout
    assert read_id(server, teal, "image/png") == {"found": "nothing"}
    assert read_id(server, ffmpeg(teal, "gif")) == {"found": "nothing"}
    for bytes in (b"", b"GIF89a", ffmpeg(teal, "gif")[:20], teal[:60], b"<svg/>"):
        read_id(server, bytes, status=422, code="not-an-image")
    read_id(server, b"GIF89a\xff\xff\xff\xff\x00\x00\x00" + b"\x2c" + b"\x00" * 20, status=422, code="image-too-large")
    read_id(server, teal, "video/mp4", status=415)
    read_id(server, b"GIF89a" + b"\x00" * (8 << 20), status=413, code="body-too-large")


def test_gif_is_drawn_with_a_custom_avatar(server):
    message = lock(server, avatar="bear")
    sheet = pathlib.Path(__file__).resolve().parents[3].joinpath("Web/assets/avatars/fox.png").read_bytes()
    png = {"Content-Type": "image/png"}
    reply = expect(server.request("POST", message["gif"], sheet, png, message["receipt"]), 200)
    kept = expect(server.request("GET", message["gif"]), 200).body
    assert reply.headers["content-type"] == "image/gif" and reply.body != kept
    assert read_id(server, without_comment(reply.body))["id"] == message["id"]
    expect(server.request("POST", message["gif"], sheet, png), 401, "unauthorized")
    expect(server.request("POST", message["gif"], sheet, png, lock(server)["receipt"]), 401, "unauthorized")
    expect(server.request("POST", message["gif"], kept, png, message["receipt"]), 422, "not-an-image")
    expect(server.request("POST", message["gif"], sheet, {"Content-Type": "image/gif"}, message["receipt"]), 415)
    small = ffmpeg(sheet, "png", "-vf", "scale=384:256")
    expect(server.request("POST", message["gif"], small, png, message["receipt"]), 422, "not-an-image")
    assert expect(server.request("GET", message["gif"]), 200).body == kept, "the sheet is not kept"
