"""Serializers for the API's binary bodies, which schemathesis does not know."""

import schemathesis


@schemathesis.serializer("application/offset+octet-stream", "application/vnd.mien.depth-frame")
def plain_bytes(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
