"""Reads and writes the protocol-buffer messages of ONNX files, for the scripts that prepare models at installation."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields the fields of a protocol-buffer message as (number, wire type, value)."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if wire == 2 else ({5: 4, 1: 8}[wire], at)
            value, at = data[at:at + size], at + size
        yield number, wire, value


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def field(index, wire, value):
    if wire == 0:
        return number(index << 3) + number(value)
    return number(index << 3 | wire) + (number(len(value)) if wire == 2 else b"") + bytes(value)


def values(message, index):
    return [value for found, _, value in fields(message) if found == index]


def text(data):
    return bytes(data).decode()
