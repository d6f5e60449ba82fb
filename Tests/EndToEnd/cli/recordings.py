"""Recordings of a known scene in the layouts of the apps that make them, written without any of their code."""

import io
import json
import shutil
import struct
import zipfile
import zlib

import cv2
import numpy as np

BOX = (np.array([0.35, 0.0, -0.15]), np.array([0.65, 0.5, 0.15]))
BALL = (np.array([0.0, 0.25, 0.0]), 0.25)
MIDDLE = np.array([0.2, 0.2, 0.0])
CUPBOARDS = (((-0.5, 0.9, -0.5), (0.3, 0.9, 0.5)), ((0.5, 0.5, 0.4), (0.4, 0.5, 0.8)), ((0, 0.4, 0), (0.6, 0.4, 0.4)))
OPENCV = np.diag([1.0, -1.0, -1.0, 1.0])
Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


def look_at(eye, at):
    """Returns a camera-to-world matrix in ARKit's axes."""
    eye, at = np.array(eye, float), np.array(at, float)
    back = (eye - at) / np.linalg.norm(eye - at)
    right = np.cross((0, 1, 0), back)
    right /= np.linalg.norm(right)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = right, np.cross(back, right), back, eye
    return pose


def path(count, span=300, radius=1.2, height=0.8):
    angles = np.radians(np.linspace(0, span, count))
    return [look_at((radius * np.sin(a), height, radius * np.cos(a)), (0.1, 0.2, 0)) for a in angles]


def quaternion(rotation):
    """Returns x, y, z, w."""
    x, y, z = (np.sqrt(max(0, 1 + d)) / 2 for d in (
        rotation[0, 0] - rotation[1, 1] - rotation[2, 2], rotation[1, 1] - rotation[0, 0] - rotation[2, 2],
        rotation[2, 2] - rotation[0, 0] - rotation[1, 1]))
    w = np.sqrt(max(0, 1 + np.trace(rotation))) / 2
    return [float(v) for v in (
        np.copysign(x, rotation[2, 1] - rotation[1, 2]), np.copysign(y, rotation[0, 2] - rotation[2, 0]),
        np.copysign(z, rotation[1, 0] - rotation[0, 1]), w)]


def rays(pose, width, height, camera, lens=None):
    """Returns directions in the world; `lens` is OpenCV's k1, k2, p1, p2."""
    fx, fy, cx, cy = camera
    u, v = np.meshgrid(np.arange(width), np.arange(height))
    x, y = (u - cx) / fx, (v - cy) / fy
    if lens:
        k1, k2, p1, p2 = lens
        seen = (x, y)
        for _ in range(40):
            square = x * x + y * y
            radial = 1 + k1 * square + k2 * square * square
            x, y = ((seen[0] - 2 * p1 * x * y - p2 * (square + 2 * x * x)) / radial,
                    (seen[1] - p1 * (square + 2 * y * y) - 2 * p2 * x * y) / radial)
    return np.stack([x, -y, -np.ones_like(x, float)], -1) @ pose[:3, :3].T


def distance_to_box(distance, origin, ray, low, high, nearest=0.0):
    with np.errstate(all="ignore"):
        a, b = (low - origin) / ray, (high - origin) / ray
        enter, leave = np.minimum(a, b).max(-1), np.maximum(a, b).min(-1)
    return np.where((enter < leave) & (enter > nearest), np.minimum(distance, enter), distance)


def table_scene(pose, width, height, camera, lens=None):
    """Returns meters along the axis to a ball, a box and a floor; 0 beyond five meters."""
    ray, origin = rays(pose, width, height, camera, lens), pose[:3, 3]
    distance = np.full((height, width), np.inf)
    with np.errstate(all="ignore"):
        floor = -origin[1] / ray[..., 1]
        distance = np.where(floor > 0, np.minimum(distance, floor), distance)
        arm = origin - BALL[0]
        b, a, c = (arm * ray).sum(-1), (ray * ray).sum(-1), (arm * arm).sum() - BALL[1] ** 2
        near = (-b - np.sqrt(b * b - a * c)) / a
        distance = np.where((b * b > a * c) & (near > 0), np.minimum(distance, near), distance)
    distance = distance_to_box(distance, origin, ray, *BOX)
    return np.where(np.isfinite(distance) & (distance <= 5), distance, 0)


def room_scene(size):
    """Returns a renderer of an empty room with a few cupboards; lengths in meters: x, height, z."""
    def depth(pose, width, height, camera):
        ray, origin = rays(pose, width, height, camera), pose[:3, 3]
        low, high = np.array([-size[0] / 2, 0, -size[2] / 2]), np.array([size[0] / 2, size[1], size[2] / 2])
        with np.errstate(all="ignore"):
            distance = np.where(ray > 0, (high - origin) / ray, np.where(ray < 0, (low - origin) / ray, np.inf)).min(-1)
        for place, half in CUPBOARDS:
            center, half = np.array(place) * np.array([size[0] / 2 * 0.9, 1, size[2] / 2 * 0.9]), np.array(half)
            distance = distance_to_box(distance, origin, ray, center - half, center + half, 0.05)
        return np.where(distance <= 5, distance, 0)

    return depth


def room_path(count, size):
    poses = []
    for number in range(count):
        a = 2 * np.pi * number / count
        eye = (size[0] * 0.3 * np.cos(a), 1.5, size[2] * 0.3 * np.sin(a))
        poses.append(look_at(eye, (eye[0] + np.cos(2 * a), 1.3 + 0.5 * np.sin(5 * a), eye[2] + np.sin(2 * a))))
    return poses


class Recording:
    """Depth maps of a camera's path, as a phone measures them: 256×192, 3 mm of noise."""

    def __init__(self, count=24, size=(256, 192), image=(1920, 1440), focal=1450.0, noise=0.003, poses=None, scene=table_scene,
                 breathing=0.0, span=300, lens=None):
        self.size, self.image, self.lens = size, image, lens
        self.poses = poses or path(count, span)
        generator = np.random.default_rng(1)
        self.cameras, self.maps = [], []
        for number, pose in enumerate(self.poses):
            scale = size[0] / image[0]
            f = focal * (1 + breathing * np.sin(number))
            self.cameras.append((f, f, image[0] / 2 - 0.5, image[1] / 2 - 0.5))
            small = (f * scale, f * scale, size[0] / 2 - 0.5, size[1] / 2 - 0.5)
            depth = scene(pose, *size, small, *([lens] if lens else []))
            self.maps.append(np.where(depth > 0, depth + generator.normal(0, noise, depth.shape) if noise else depth, 0))

    @property
    def millimeters(self):
        return [np.round(depth * 1000).clip(0, 65535).astype(np.uint16) for depth in self.maps]

    def picture(self, number, kind="jpg", color=(120, 160, 90)):
        width, height = self.image
        drawn = np.full((height // 2, width // 2, 3), color, np.uint8)
        drawn[:, : 4 * number + 4] = 30
        return cv2.imencode("." + kind, cv2.resize(drawn, (width, height), interpolation=cv2.INTER_NEAREST))[1].tobytes()


def png(samples):
    return cv2.imencode(".png", samples)[1].tobytes()


def lzfse(data):
    """Returns an LZFSE stream of one uncompressed block."""
    return b"bvx-" + struct.pack("<I", len(data)) + data + b"bvx$"


def exr(depth, name="R", compression="zip", half=False, extra=()):
    """Returns an OpenEXR image of scan lines with one channel, or `extra` ones of zeros beside it."""
    height, width = depth.shape
    kinds = {name: 1 if half else 2, **{other: 2 for other in extra}}
    channels = b"".join(
        key.encode() + b"\0" + struct.pack("<IB3xII", kinds[key], 0, 1, 1) for key in sorted(kinds)) + b"\0"
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    code = {"none": 0, "zips": 2, "zip": 3}[compression]
    attributes = [("channels", "chlist", channels), ("compression", "compression", bytes([code])), ("dataWindow", "box2i", window),
                  ("displayWindow", "box2i", window), ("lineOrder", "lineOrder", b"\0"),
                  ("pixelAspectRatio", "float", struct.pack("<f", 1)), ("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0)),
                  ("screenWindowWidth", "float", struct.pack("<f", 1))]
    head = b"\x76\x2f\x31\x01" + struct.pack("<I", 2) + b"".join(
        key.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<I", len(value)) + value for key, kind, value in attributes) + b"\0"
    samples = depth.astype("<f2" if half else "<f4")
    lines = {"none": 1, "zips": 1, "zip": 16}[compression]
    chunks = []
    for row in range(0, height, lines):
        raw = b"".join(
            (samples[y].tobytes() if key == name else bytes(4 * width))
            for y in range(row, min(row + lines, height)) for key in sorted(kinds))
        packed = raw
        if compression != "none":
            split = np.frombuffer(raw[0::2] + raw[1::2], np.uint8).astype(int)
            packed = zlib.compress(np.concatenate([split[:1], (split[1:] - split[:-1] + 128) % 256]).astype(np.uint8).tobytes())
            packed = packed if len(packed) < len(raw) else raw
        chunks.append(struct.pack("<iI", row, len(packed)) + packed)
    start = len(head) + 8 * len(chunks)
    offsets = [start + sum(map(len, chunks[:number])) for number in range(len(chunks))]
    return head + struct.pack(f"<{len(chunks)}Q", *offsets) + b"".join(chunks)


def record3d_metadata(recording, start=0, lost=(), poses=True, still=False, per_frame=True, times=True, sizes=True):
    width, height = recording.image
    first = recording.cameras[0]
    metadata = {"w": width, "h": height, "fps": 60, "K": [first[0], 0, 0, 0, first[1], 0, first[2], first[3], 1]}
    if sizes:
        metadata |= {"dw": recording.size[0], "dh": recording.size[1]}
    rows = []
    for number, pose in enumerate(recording.poses):
        row = [*quaternion(pose[:3, :3]), *map(float, pose[:3, 3])]
        rows.append([0, 0, 0, 1, 0, 0, 0] if still else [0] * 7 if number in lost else row)
    if poses:
        metadata |= {"poses": rows[start:], "initPose": rows[start]}
    if per_frame:
        metadata["perFrameIntrinsicCoeffs"] = [list(map(float, camera)) for camera in recording.cameras][start:]
    if times:
        metadata["frameTimestamps"] = [number / 60 for number in range(len(rows))][start:]
    return metadata


def record3d(target, recording, first=0, start=0, lists_from=0, packed=True, confidence=True, missing=(), jpeg=True, change=None,
             name="metadata", **more):
    """Writes a .r3d archive: frames `start`… with names that begin at `first`, lists of frames `lists_from`…."""
    metadata = record3d_metadata(recording, lists_from, **more)
    pack = lzfse if packed else bytes
    with zipfile.ZipFile(target, "w") as archive:
        for number, depth in enumerate(recording.maps):
            if number < start or number in missing:
                continue
            key = f"rgbd/{number + first}"
            data = depth.astype("<f4").tobytes()
            archive.writestr(key + ".depth", pack(change(number, data) if change else data))
            if confidence:
                archive.writestr(key + ".conf", pack(np.full(depth.shape, 2, np.uint8).tobytes()))
            if jpeg:
                archive.writestr(key + ".jpg", recording.picture(number))
        archive.writestr(name, json.dumps(metadata))
        archive.writestr("icon", b"")
    return target


def record3d_images(folder, recording, compression="zip", picture="jpg", half=False, levels=False, extra=(), nested=True, missing=(),
                    channel="R", **more):
    """Writes the folder of Record3D's export as EXR and RGB images."""
    shutil.rmtree(folder, ignore_errors=True)
    place = folder / "EXR_RGBD" if nested else folder
    for name in ("depth", "rgb", *(["confidence"] if levels else [])):
        (place / name).mkdir(parents=True)
    for number, depth in enumerate(recording.maps):
        if number in missing:
            continue
        holes = np.where(depth > 0, depth, np.nan)
        (place / f"depth/{number}.exr").write_bytes(exr(holes, channel, compression, half, extra))
        (place / f"rgb/{number}.{picture}").write_bytes(recording.picture(number, picture))
        if levels:
            (place / f"confidence/{number}.png").write_bytes(png(np.full(depth.shape, 2, np.uint8)))
    (place / "metadata.json").write_text(json.dumps(record3d_metadata(recording, **more)))
    return folder


def stray_scanner(folder, recording, unit=1000, semicolons=False, header=True, per_row=True, matrix=True, lost=(), numpy=False, cut=False,
          confidence=True):
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("depth", "confidence"):
        (folder / name).mkdir(parents=True)
    rows = ["timestamp, frame, x, y, z, qx, qy, qz, qw" + (", fx, fy, cx, cy" if per_row else "")] if header else []
    for number, (pose, depth) in enumerate(zip(recording.poses, recording.maps)):
        name = f"{number:06}"
        samples = np.round(depth * unit).clip(0, 65535).astype(np.uint16)
        if numpy:
            np.save(folder / f"depth/{name}.npy", samples)
        else:
            (folder / f"depth/{name}.png").write_bytes(png(samples))
        if confidence:
            (folder / f"confidence/{name}.png").write_bytes(png(np.full(depth.shape, 2, np.uint8)))
        turned = pose @ OPENCV
        values = [*turned[:3, 3], *quaternion(turned[:3, :3])]
        row = [f"{4000 + number / 60:.6f}", name] + (["nan"] * 7 if number in lost else [f"{value:.8f}" for value in values])
        if per_row:
            row += [f"{value:.4f}" for value in recording.cameras[number]]
        rows.append((" ; " if semicolons else ", ").join(row))
    text = "\n".join(rows) + "\n"
    (folder / "odometry.csv").write_text(text[: len(text) - 60] if cut else text)
    if matrix:
        f, g, cx, cy = recording.cameras[0]
        (folder / "camera_matrix.csv").write_text(f"{f}, 0.0, {cx}\n0.0, {g}, {cy}\n0.0, 0.0, 1.0\n")
    return folder


def polycam(folder, recording, corrected=True, confidence=True, lacking=(), pictures=True):
    """Writes Polycam's raw data; `lacking` frames have no corrected camera. Corrected poses are shifted by a meter."""
    shutil.rmtree(folder, ignore_errors=True)
    place = folder / "keyframes"
    names = ["depth", "confidence", "cameras", "images"] + (["corrected_cameras", "corrected_images"] if corrected else [])
    for name in names:
        (place / name).mkdir(parents=True)
    for number, depth in enumerate(recording.millimeters):
        time = 8_000_000_000 + number * 100_000
        (place / f"depth/{time}.png").write_bytes(png(depth))
        if confidence:
            (place / f"confidence/{time}.png").write_bytes(png(np.full(depth.shape, 255, np.uint8)))
        f, g, cx, cy = recording.cameras[number]
        camera = {"fx": f, "fy": g, "cx": cx, "cy": cy, "width": recording.image[0], "height": recording.image[1], "blur_score": 80.0,
                  "timestamp": time, "manual_keyframe": False, "neighbors": []}
        for kind in ("cameras",) + (("corrected_cameras",) if corrected else ()):
            if kind == "corrected_cameras" and number in lacking:
                continue
            pose = recording.poses[number].copy()
            if kind == "cameras" and corrected:
                pose[0, 3] += 1
            rows = {f"t_{row}{column}": float(pose[row, column]) for row in range(3) for column in range(4)}
            (place / f"{kind}/{time}.json").write_text(json.dumps(camera | rows))
        if pictures:
            (place / f"images/{time}.jpg").write_bytes(recording.picture(number, color=(0, 0, 0)))
            if corrected:
                (place / f"corrected_images/{time}.jpg").write_bytes(recording.picture(number))
    (folder / "mesh_info.json").write_text("{}")
    return folder


def transforms(folder, recording, depth="png", shared=True, shuffled=False, unit=0.001, scale=None, extension=True, capture=False):
    """Writes transforms.json with images and depth maps, as nerfstudio has them; the world's z points up. With `capture`, as
    NeRFCapture does for instant-ngp."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("images", "depth"):
        (folder / name).mkdir(parents=True)
    frames = []
    for number, (pose, meters) in enumerate(zip(recording.poses, recording.maps)):
        name = f"frame_{number:05}"
        (folder / f"images/{name}.jpg").write_bytes(recording.picture(number))
        if depth == "png":
            (folder / f"depth/{name}.png").write_bytes(png(np.round(meters / unit).clip(0, 65535).astype(np.uint16)))
        elif depth == "npy":
            np.save(folder / f"depth/{name}.npy", meters.astype(np.float32))
        else:
            (folder / f"depth/{name}.exr").write_bytes(exr(meters, "Z"))
        moved = pose.copy() if capture else Z_UP @ pose
        if scale:
            moved[:3, 3] *= scale
        f, g, cx, cy = recording.cameras[number]
        # The format's pixel centers are at halves.
        camera = {"fl_x": f, "fl_y": g, "cx": cx + 0.5, "cy": cy + 0.5, "w": recording.image[0], "h": recording.image[1]}
        frame = {"file_path": f"images/{name}" + (".jpg" if extension else ""), "depth_file_path": f"./depth/{name}.{depth}",
                 "transform_matrix": moved.tolist()}
        if capture:
            frame["depth_path"] = frame.pop("depth_file_path")
        frames.append(frame if shared else frame | camera)
    if shuffled:
        frames = [frames[number] for number in np.random.default_rng(3).permutation(len(frames))]
    whole = {"camera_model": "OPENCV", **(camera if shared else {}), "frames": frames}
    if recording.lens:
        whole |= dict(zip(("k1", "k2", "p1", "p2"), recording.lens))
    if unit != 0.001 and depth == "png":
        whole["integer_depth_scale" if capture else "depth_unit_scale_factor"] = unit
    if scale:
        whole["applied_scale"] = scale
    (folder / "transforms.json").write_text(json.dumps(whole))
    return folder


#: COLMAP's camera models: their numbers, and their parameters from focal lengths, principal point and lens.
COLMAP_MODELS = {
    "SIMPLE_PINHOLE": (0, lambda f, g, cx, cy, lens: (f, cx, cy)),
    "PINHOLE": (1, lambda f, g, cx, cy, lens: (f, g, cx, cy)),
    "SIMPLE_RADIAL": (2, lambda f, g, cx, cy, lens: (f, cx, cy, lens[0])),
    "OPENCV": (4, lambda f, g, cx, cy, lens: (f, g, cx, cy, *lens)),
    "OPENCV_FISHEYE": (5, lambda f, g, cx, cy, lens: (f, g, cx, cy, 0.1, 0.01, 0, 0)),
}


def colmap(folder, recording, model="PINHOLE", place="sparse/0", binary=False, scale=1.0, points=200, dense=False, lacking=(),
           second_lines=True):
    """Writes COLMAP's model of a recording, its world divided by `scale`, with images and depth maps; `lacking` frames were not
    registered. With `dense`, the depth maps are COLMAP's own, otherwise PNGs of millimeters."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in (place, "images", "stereo/depth_maps" if dense else "depth"):
        (folder / name).mkdir(parents=True)
    width, height = recording.image
    f, g, cx, cy = recording.cameras[0]
    number, parameters = COLMAP_MODELS[model]
    # The format's pixel centers are at halves.
    values = parameters(f, g, cx + 0.5, cy + 0.5, recording.lens)
    generator = np.random.default_rng(5)
    images, cloud = [], []
    for index, (pose, meters) in enumerate(zip(recording.poses, recording.maps)):
        name = f"IMG_{index:04}"
        (folder / f"images/{name}.jpg").write_bytes(recording.picture(index))
        if dense:
            head = f"{recording.size[0]}&{recording.size[1]}&1&".encode()
            (folder / f"stereo/depth_maps/{name}.jpg.geometric.bin").write_bytes(head + (meters / scale).astype("<f4").tobytes())
        else:
            (folder / f"depth/{name}.png").write_bytes(png(np.round(meters * 1000).clip(0, 65535).astype(np.uint16)))
        if index in lacking:
            continue
        inverse = np.linalg.inv(pose @ OPENCV)
        x, y, z, w = quaternion(inverse[:3, :3])
        seen = []
        columns, rows = generator.integers(0, recording.size[0], points), generator.integers(0, recording.size[1], points)
        ray = rays(np.eye(4), *recording.size, [value * recording.size[0] / width for value in (f, g)] + [
            recording.size[0] / 2 - 0.5, recording.size[1] / 2 - 0.5], recording.lens)
        for column, row in zip(columns, rows):
            depth = meters[row, column]
            at = [(column + 0.5) * width / recording.size[0], (row + 0.5) * height / recording.size[1]]
            if depth > 0 and generator.random() > 0.3:
                here = pose @ np.append(ray[row, column] * depth, 1)
                cloud.append((len(cloud) + 7, here[:3] / scale, index, len(seen)))
                seen.append((*at, cloud[-1][0]))
            else:
                seen.append((*at, -1))
        images.append((index + 1, (w, x, y, z), inverse[:3, 3] / scale, f"{name}.jpg", seen))
    images = [images[place] for place in generator.permutation(len(images))]
    target = folder / place
    if binary:
        (target / "cameras.bin").write_bytes(struct.pack(f"<QiiQQ{len(values)}d", 1, 3, number, width, height, *values))
        (target / "images.bin").write_bytes(struct.pack("<Q", len(images)) + b"".join(
            struct.pack("<i7di", key, *turn, *shift, 3) + name.encode() + b"\0" + struct.pack("<Q", len(seen))
            + b"".join(struct.pack("<ddq", *item) for item in seen) for key, turn, shift, name, seen in images))
        if points:
            (target / "points3D.bin").write_bytes(struct.pack("<Q", len(cloud)) + b"".join(
                struct.pack("<Q3d3BdQii", key, *at, 9, 9, 9, 0.5, 1, index + 1, nth) for key, at, index, nth in cloud))
        return folder
    (target / "cameras.txt").write_text(
        "# Camera list with one line of data per camera:\n#   CAMERA_ID, MODEL, WIDTH, HEIGHT, PARAMS[]\n"
        + " ".join(map(str, (3, model, width, height, *values))) + "\n")
    lines = ["# Image list with two lines of data per image:"]
    for key, turn, shift, name, seen in images:
        lines.append(" ".join(map(str, (key, *turn, *shift, 3, name))))
        if second_lines:
            lines.append(" ".join(f"{u} {v} {point}" for u, v, point in seen))
    (target / "images.txt").write_text("\n".join(lines) + "\n")
    if points:
        (target / "points3D.txt").write_text("# 3D point list\n" + "".join(
            " ".join(map(str, (key, *at, 9, 9, 9, 0.5, index + 1, nth))) + "\n" for key, at, index, nth in cloud))
    return folder


def tum(folder, recording, unit=5000, stamp=1.0, later=0.0, calibration=True, poses=True):
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "depth").mkdir(parents=True)
    depths, rows = [], []
    for number, (pose, meters) in enumerate(zip(recording.poses, recording.maps)):
        time = 1_700_000_000 + number / 30
        (folder / f"depth/{time:.6f}.png").write_bytes(png(np.round(meters * unit).clip(0, 65535).astype(np.uint16)))
        depths.append(f"{time:.6f} depth/{time:.6f}.png")
        moved = Z_UP @ pose @ OPENCV
        rows.append(" ".join([f"{(time + later) * stamp:.6f}"] + [f"{v:.8f}" for v in (*moved[:3, 3], *quaternion(moved[:3, :3]))]))
    (folder / "depth.txt").write_text("\n".join(["# depth maps", *depths]) + "\n")
    if poses:
        (folder / "groundtruth.txt").write_text("\n".join(rows) + "\n")
    if calibration:
        scale = recording.size[0] / recording.image[0]
        f = recording.cameras[0][0] * scale
        (folder / "calibration.txt").write_text(f"{f} {f} {recording.size[0] / 2 - 0.5} {recording.size[1] / 2 - 0.5}\n")
    return folder


def scanner3d(folder, recording, lost=(), confidence=True):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    width, height = recording.image
    for number, (pose, depth) in enumerate(zip(recording.poses, recording.millimeters)):
        name = f"{number:05}"
        (folder / f"depth_{name}.png").write_bytes(png(depth))
        if confidence:
            (folder / f"conf_{name}.png").write_bytes(png(np.full(depth.shape, 2, np.uint8)))
        f, g, cx, cy = recording.cameras[number]
        matrix = [0.0] * 16 if number in lost else pose.flatten().tolist()
        (folder / f"frame_{name}.json").write_text(json.dumps({
            "cameraPoseARFrame": matrix, "intrinsics": [f, 0, cx, 0, g, cy, 0, 0, 1], "time": 100 + number / 60,
            "projectionMatrix": [2 * f / width, 0, 0, 0, 0, 2 * g / height, 0, 0, 0, 0, -1, -0.001, 0, 0, -1, 0]}))
    return folder


def arkitscenes(folder, recording):
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("lowres_depth", "confidence", "lowres_wide_intrinsics"):
        (folder / name).mkdir(parents=True)
    rows = []
    for number, (pose, depth) in enumerate(zip(recording.poses, recording.millimeters)):
        time = f"{306 + number / 10:.3f}"
        name = f"41069021_{time}"
        (folder / f"lowres_depth/{name}.png").write_bytes(png(depth))
        (folder / f"confidence/{name}.png").write_bytes(png(np.full(depth.shape, 2, np.uint8)))
        scale = recording.size[0] / recording.image[0]
        f = recording.cameras[number][0] * scale
        (folder / f"lowres_wide_intrinsics/{name}.pincam").write_text(
            f"{recording.size[0]} {recording.size[1]} {f} {f} {recording.size[0] / 2 - 0.5} {recording.size[1] / 2 - 0.5}")
        camera = np.linalg.inv(Z_UP @ pose @ OPENCV)
        axis = cv2.Rodrigues(camera[:3, :3])[0].flatten()
        rows.append(" ".join([time] + [f"{value:.9f}" for value in (*axis, *camera[:3, 3])]))
    (folder / "lowres_wide.traj").write_text("\n".join(rows) + "\n")
    return folder


def raw(folder, recording, kind="<u2", described=True, size=True):
    """Writes depth_scan.bin with its metadata; kinds in meters are floats, `mm` floats of millimeters."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kinds = {"<u2": ("<u2", 1000, "uint16_mm"), "<f4": ("<f4", 1, "float32_m"), "mm": ("<f4", 1000, "float32_m"),
             "<f2": ("<f2", 1, "float16_m")}
    store, scale, pixel = kinds[kind]
    data = b"".join(np.round(depth * scale).astype(store).tobytes() if store == "<u2" else (depth * scale).astype(store).tobytes()
                    for depth in recording.maps)
    (folder / "depth_scan.bin").write_bytes(data)
    metadata = {"device": "iPhone 15 Pro", "photo_count": 3, "depth_frame_count": len(recording.maps), "total_depth_bytes": len(data)}
    if described:
        metadata["depth_format"] = {"width": recording.size[0], "height": recording.size[1], "pixel": pixel} if size else {}
    (folder / "metadata.json").write_text(json.dumps(metadata))
    return folder


def vertices(ply):
    """Returns the vertices of a binary PLY as the program writes it."""
    data = ply.read_bytes()
    head, _, body = data.partition(b"end_header\n")
    lines = head.decode().split("\n")
    count = next(int(line.split()[2]) for line in lines if line.startswith("element vertex"))
    inside, kinds = False, []
    for line in lines:
        if line.startswith("element"):
            inside = line.startswith("element vertex")
        elif line.startswith("property") and inside:
            kinds.append((line.split()[2], {"float": "<f4", "uchar": "u1"}[line.split()[1]]))
    table = np.frombuffer(body, np.dtype(kinds), count)
    return np.stack([table["x"], table["y"], table["z"]], -1).astype(float)


def errors(points, reach=0.9):
    """Returns the distances in millimeters of the points near the middle from ball, box and floor."""
    points = points[np.linalg.norm(points - MIDDLE, axis=1) < reach]
    half = (BOX[1] - BOX[0]) / 2
    gap = np.abs(points - (BOX[0] + BOX[1]) / 2) - half
    box = np.abs(np.linalg.norm(np.maximum(gap, 0), axis=1) + np.minimum(gap.max(1), 0))
    ball = np.abs(np.linalg.norm(points - BALL[0], axis=1) - BALL[1])
    return np.minimum(np.minimum(ball, np.abs(points[:, 1])), box) * 1000


def room_errors(points, size):
    """Returns the distances in millimeters of the points from walls, floor, ceiling and cupboards."""
    low, high = np.array([-size[0] / 2, 0, -size[2] / 2]), np.array([size[0] / 2, size[1], size[2] / 2])
    nearest = np.minimum(np.abs(points - low), np.abs(points - high)).min(1)
    for place, half in CUPBOARDS:
        center = np.array(place) * np.array([size[0] / 2 * 0.9, 1, size[2] / 2 * 0.9])
        gap = np.abs(points - center) - np.array(half)
        nearest = np.minimum(nearest, np.abs(np.linalg.norm(np.maximum(gap, 0), axis=1) + np.minimum(gap.max(1), 0)))
    return nearest * 1000
