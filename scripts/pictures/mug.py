"""A drawn mug on a table, as a phone's depth camera would see it from all sides: for the picture of the 3-D viewer."""

import json
import math

import cv2
import numpy as np

WIDTH, HEIGHT, FOCAL = 256, 192, 212.0
# Meters.
RADIUS, TALL, WALL = 0.075, 0.165, 0.009
TABLE = 0.2
STEPS, FAR = 90, 2.0


def length(*parts):
    return np.sqrt(sum(part * part for part in parts))


def distance(x, y, z):
    """Returns signed distances from points to mug and table, and to the mug alone; y is up and the table's top is at 0."""
    around = length(x, z)
    outside = np.maximum(around - RADIUS, np.abs(y - TALL / 2) - TALL / 2)
    inside = np.maximum(around - (RADIUS - WALL), WALL - y)
    body = np.maximum(outside, -inside) - 0.002
    handle = length(length(x - RADIUS - 0.006, (y - TALL / 2) / 1.25) - 0.039, z) - 0.01
    # The handle does not reach into the mug.
    mug = np.minimum(body, np.maximum(handle, RADIUS - 0.004 - around))
    table = np.maximum(around - TABLE, np.abs(y + 0.02) - 0.02)
    return np.minimum(mug, table), mug


def color(x, y, z, mug):
    """Returns blue, green and red of the surface."""
    band = np.mod(y * 667, 110)
    angle = np.mod(np.arctan2(z, x) / (2 * math.pi) * 12, 1) - 0.5
    dots = np.hypot(angle * 26, band - 58) < 7
    glaze = np.where((band > 30)[..., None], [214, 226, 232], [120, 116, 44])
    glaze = np.where((mug & dots)[..., None], [72, 108, 214], glaze)
    grain = 12 * np.sin(x * 180 + 3 * np.sin(z * 30))
    wood = np.stack([96 + grain, 140 + grain, 178 + grain], -1)
    return np.where(mug[..., None], glaze, wood)


def view(turn, high=0.4, away=0.5):
    """Returns the camera's pose (camera to world, looking along −z), depths in millimeters, and a picture."""
    eye = np.array([away * math.cos(turn), high, away * math.sin(turn)])
    back = eye - np.array([0, 0.06, 0])
    back /= np.linalg.norm(back)
    right = np.cross([0, 1, 0], back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    ray = ((columns + 0.5 - WIDTH / 2) / FOCAL)[..., None] * right - ((rows + 0.5 - HEIGHT / 2) / FOCAL)[..., None] * up - back
    # Distance along the axis, which is what a depth map holds.
    scale = np.linalg.norm(ray, axis=-1)
    depth = np.full((HEIGHT, WIDTH), 0.1)
    for _ in range(STEPS):
        point = eye + ray * depth[..., None]
        depth = np.minimum(depth + distance(*np.moveaxis(point, -1, 0))[0] / scale, FAR)
    point = np.moveaxis(eye + ray * depth[..., None], -1, 0)
    whole, mug = distance(*point)
    seen = (np.abs(whole) < 0.001) & (depth < FAR)
    normal = np.stack([distance(*(point + step))[0] - distance(*(point - step))[0] for step in 1e-4 * np.eye(3)[:, :, None, None]], -1)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9)
    light = 0.62 + 0.38 * np.clip(normal @ (np.array([0.4, 0.8, 0.45])), 0, 1)
    shaded = color(*point, mug <= whole + 1e-4) * light[..., None]
    picture = np.where(seen[..., None], shaded, 235).clip(0, 255).astype(np.uint8)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.stack([right, up, back], -1), eye
    return pose, np.where(seen, np.round(depth * 1000), 0).astype(np.uint16), picture


def scan(views=36):
    """Yields name and bytes of the files of a scan in 3D Scanner App's format."""
    zoom = 1920 / WIDTH
    for number in range(views):
        pose, depth, picture = view(2 * math.pi * number / views, high=0.2 + 0.15 * (number % 3))
        name = f"{number:05}"
        yield f"depth_{name}.png", cv2.imencode(".png", depth)[1].tobytes()
        yield f"conf_{name}.png", cv2.imencode(".png", np.full((HEIGHT, WIDTH), 2, np.uint8))[1].tobytes()
        large = cv2.resize(picture, (1920, 1440), interpolation=cv2.INTER_CUBIC)
        yield f"frame_{name}.jpg", cv2.imencode(".jpg", large, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        yield f"frame_{name}.json", json.dumps({
            "cameraPoseARFrame": pose.ravel().tolist(), "intrinsics": [FOCAL * zoom, 0, 960, 0, FOCAL * zoom, 720, 0, 0, 1],
            "projectionMatrix": [2 * FOCAL / WIDTH, 0, 0, 0, 0, 2 * FOCAL / HEIGHT, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0],
            "time": 100 + number / 3}).encode()
