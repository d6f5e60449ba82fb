"""Compares a server's data with all data that it has acknowledged."""

import hashlib

from reliability import scan_load


def verify(server, acknowledged, rng):
    """Compares the server with the acknowledged data: the newest entries and a sample of the older ones."""
    def sample(entries):
        entries = list(entries)
        return entries[-12:] + rng.sample(entries[:-12], min(8, len(entries[:-12])))

    with acknowledged.lock:
        captures, messages, verdicts = (dict(x) for x in (acknowledged.captures, acknowledged.messages, acknowledged.verdicts))
        webhooks, erased = dict(acknowledged.webhooks), list(acknowledged.erased)
    for id, digests in sample(captures.items()):
        reply = server.request("GET", "/v1/captures/" + id)
        if id not in acknowledged.captures:
            continue  # deletion has begun in the meantime
        assert reply.status == 200, f"an acknowledged capture is gone: {reply}"
        for name, digest in digests.items():
            part = server.request("GET", f"/v1/captures/{id}/parts/{name}")
            if id not in acknowledged.captures:
                break
            assert part.status == 200, f"a capture lost its part {name}: {part}"
            assert hashlib.sha256(part.body).hexdigest() == digest, f"a capture's {name} has changed"
    for path in sample(erased):
        reply = server.request("GET", path)
        assert reply.status in (404, 410), f"deleted data is back: {reply}"
    for message in sample(messages.values()):
        reply = server.request("GET", "/v1/messages/" + message.id)
        assert reply.status == 200, f"an acknowledged message is gone: {reply}"
        spent = message.attempts - reply.json["attempts_left"]
        assert message.reported <= spent <= message.reported + message.unanswered, \
            f"{message.reported} wrong attempts were reported, {message.unanswered} unanswered, {spent} counted"
    for id, state in sample(verdicts.items()):
        reply = server.request("GET", "/v1/checks/" + id, token=server.key)
        assert reply.status == 200 and reply.json["state"] == state, f"a verdict of {state} became {reply}"
    listed = server.request("GET", "/v1/webhooks", token=server.key).body.decode()
    for id in webhooks:
        assert id in listed or id not in acknowledged.webhooks, "an acknowledged webhook is gone"
    scan_load.verify(server, acknowledged, rng)
