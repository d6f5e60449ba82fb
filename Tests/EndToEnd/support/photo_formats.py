"""Photos in the formats of phones, written with Debian's heif-enc, avifenc and cwebp (scripts/install-system test)."""

import pathlib
import struct
import subprocess
import tempfile

import cv2
import numpy as np


def convert(png, kind, quality=95, *options):
    """Returns a PNG as `heic`, `avif` or `webp`."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder) / "a.png", pathlib.Path(folder) / f"a.{kind}"
        source.write_bytes(png)
        # avifenc counts from the best: a quantizer of 0 to 63.
        step = str(max(0, (100 - quality) * 63 // 100))
        command = {
            "heic": ["heif-enc", "-q", str(quality), *options, source, "-o", target],
            "avif": ["avifenc", "-s", "8", "-y", "420", "--min", step, "--max", step, *options, source, target],
            "webp": ["cwebp", "-quiet", "-q", str(quality), *options, source, "-o", target],
        }[kind]
        subprocess.run(command, check=True, capture_output=True, timeout=300)
        return target.read_bytes()


def box(kind, *parts):
    content = b"".join(parts)
    return struct.pack(">I", 8 + len(content)) + kind + content


def coded(heic):
    """Returns the configuration and the data of the only image of a file by heif-enc, of sides that are multiples of 64."""
    at = heic.index(b"hvcC")
    size = struct.unpack(">I", heic[at - 4:at])[0]
    assert b"grid" not in heic[:heic.index(b"mdat")], "the sides are multiples of 64"
    return heic[at + 4:at - 4 + size], heic[heic.index(b"mdat") + 4:]


def phone_heic(pictures, columns, width, height, depth, turn=0):
    """Returns a HEIC as an iPhone writes it in portrait mode: tiles, and a disparity map of 8 bits whose meaning is in XMP.

    `pictures` are PNGs of one size, `depth` an array of meters; `turn` is a number of quarter turns to the left.
    """
    near, far = 1 / depth.min(), 1 / depth.max()
    levels = np.rint((1 / depth - far) / (near - far) * 255).astype(np.uint8)
    packet = f"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description>
      <apdi:IntMaxValue>255</apdi:IntMaxValue><apdi:IntMinValue>0</apdi:IntMinValue>
      <apdi:FloatMaxValue>{near:.6f}</apdi:FloatMaxValue>
      <apdi:FloatMinValue>{far:.6f}</apdi:FloatMinValue><apdi:AuxiliaryImageType>disparity</apdi:AuxiliaryImageType>
      <depthData:Accuracy>relative</depthData:Accuracy></rdf:Description></rdf:RDF></x:xmpmeta>""".encode()
    tiles = [coded(convert(picture, "heic", 95)) for picture in pictures]
    side = cv2.imdecode(np.frombuffer(pictures[0], np.uint8), 0).shape
    map_ = coded(convert(cv2.imencode(".png", levels)[1].tobytes(), "heic", 95))
    count, rows = len(tiles), len(tiles) // columns
    grid = bytes([0, 0, rows - 1, columns - 1]) + struct.pack(">HH", width, height)

    def size(width, height):
        return box(b"ispe", bytes(4), struct.pack(">II", width, height))

    properties = [size(side[1], side[0]), box(b"hvcC", tiles[0][0]), size(width, height), box(b"irot", bytes([turn])),
                  size(levels.shape[1], levels.shape[0]), box(b"hvcC", map_[0]),
                  box(b"auxC", bytes(4), b"urn:mpeg:hevc:2015:auxid:2\0")]
    assert all(tile[0] == tiles[0][0] for tile in tiles), "all tiles have the same parameters"
    # Type, data, and properties counted from 1; the first bit marks those that a reader must know.
    items = [(b"hvc1", tile[1], [1, 0x82]) for tile in tiles]
    items += [(b"grid", grid, [3, 0x84]), (b"hvc1", map_[1], [5, 0x86, 0x87, 0x84]), (b"mime", packet, [])]
    links = [(b"dimg", count + 1, list(range(1, count + 1))), (b"auxl", count + 2, [count + 1]), (b"cdsc", count + 3, [count + 2])]

    def file(start):
        places, at = b"", start
        for number, (_, data, _) in enumerate(items, 1):
            places += struct.pack(">HHHII", number, 0, 1, at, len(data))
            at += len(data)
        return box(b"ftyp", b"heic\0\0\0\0mif1MiHEmiafMiHBheic") + box(
            b"meta", bytes(4), box(b"hdlr", bytes(8), b"pict", bytes(13)), box(b"pitm", bytes(4), struct.pack(">H", count + 1)),
            box(b"iinf", bytes(4), struct.pack(">H", len(items)), *(
                box(b"infe", b"\2\0\0\0", struct.pack(">HH", number, 0), kind, b"\0",
                    b"application/rdf+xml\0" if kind == b"mime" else b"")
                for number, (kind, _, _) in enumerate(items, 1))),
            box(b"iref", bytes(4), *(
                box(kind, struct.pack(f">HH{len(to)}H", source, len(to), *to)) for kind, source, to in links)),
            box(b"iprp", box(b"ipco", *properties), box(b"ipma", bytes(4), struct.pack(">I", len(items)), *(
                struct.pack(">HB", number, len(used)) + bytes(used) for number, (_, _, used) in enumerate(items, 1)))),
            box(b"iloc", bytes(4), b"\x44\0", struct.pack(">H", len(items)), places))

    return file(len(file(0)) + 8) + box(b"mdat", *(data for _, data, _ in items))


def portrait(scene, turn=0, flat=False):
    """Returns a HEIC of a scene of 640 × 512 pixels in four tiles; its depth map shows a person before a wall, or the wall alone."""
    height, width = scene.shape[:2]
    assert (width, height) == (640, 512)
    tiles = [cv2.imencode(".png", scene[y:y + 256, x:x + 320])[1].tobytes() for y in (0, 256) for x in (0, 320)]
    depth = np.tile(1 / np.linspace(0.5, 0.42, 320, dtype=np.float32), (256, 1))
    if not flat:
        depth[64:, 100:220] = 0.7
        depth[40:64, 140:180] = 0.65
    return phone_heic(tiles, 2, width, height, depth, turn)
