"""A poseable head: one real image mapped onto the tracker's mesh, with movable lids and mouth.

The landmarks that `mien track --landmarks` finds in the image become a mesh with depth; rings around the face carry hair, ears
and neck along and end in a static background. It is a test puppet: only the lids and the jaw move, and the lighting never
changes.
"""

import csv
import functools
import pathlib
import subprocess
import tempfile

import cv2
import numpy as np

# The image, and the crop that a 4:3 camera would have recorded.
CLIP, MOMENT, SIZE, LEFT = "pyfeat/single_face.mp4", 0.0, (480, 360), 50
# Point pairs of each eye (upper lid, lower lid) from corner to corner, and the crease above the lid.
EYES = [
    dict(upper=[246, 161, 160, 159, 158, 157, 173], lower=[7, 163, 144, 145, 153, 154, 155],
         crease=[247, 30, 29, 27, 28, 56, 190], corners=(33, 133)),
    dict(upper=[466, 388, 387, 386, 385, 384, 398], lower=[249, 390, 373, 374, 380, 381, 382],
         crease=[467, 260, 259, 257, 258, 286, 414], corners=(263, 362)),
]
# Rows of lip points from corner to corner: the inner edges, their neighbors, and all points that stay with the upper lip or
# move with the lower one.
LIP_ABOVE = [191, 80, 81, 82, 13, 312, 311, 310, 415]
NEXT_ABOVE = [183, 42, 41, 38, 12, 268, 271, 272, 407]
LIP_BELOW = [95, 88, 178, 87, 14, 317, 402, 318, 324]
NEXT_BELOW = [96, 89, 179, 86, 15, 316, 403, 319, 325]
UPPER_LIP = LIP_ABOVE + NEXT_ABOVE + [0, 11, 37, 72, 39, 73, 40, 74, 185, 184, 267, 302, 269, 303, 270, 304, 409, 408]
LOWER_LIP = LIP_BELOW + NEXT_BELOW + [17, 16, 84, 85, 181, 180, 91, 90, 146, 77, 314, 315, 405, 404, 321, 320, 375, 307]
LIP_CORNERS = [78, 308]
LIPS_OUTSIDE = [61, 76, 62, 291, 306, 292]
OUTLINE = [10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
           150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109]
FOREHEAD, CHIN, SIDES = 10, 152, (234, 454)
# Scale of each ring, its distance behind the outline (in face widths), and its share of the movement at the crown and below
# the chin.
RINGS = [(1.16, 0.06, 1.0, 0.85), (1.42, 0.2, 1.0, 0.45), (1.8, 0.3, 0.5, 0.15), (2.5, 0.3, 0.0, 0.0)]
# Scales the tracker's depths, which are too shallow; chosen so that rendered and tracked poses agree best.
DEPTH = 1.2
# Poses for comparing the tracker's readings with the rendered ones.
PROOFS = [[{"yaw": a} for a in (-25, -12, 12, 25)], [{"pitch": a} for a in (-15, -8, 8, 15)],
          [{"roll": a} for a in (-22, -11, 11, 22)]]


def smooth(x):
    x = np.clip(x, 0, 1)
    return x * x * (3 - 2 * x)


class Head:
    """An image with its 468 mesh points in pixels; z grows away from the camera."""

    def __init__(self, picture, points, seed=1):
        self.picture = picture
        self.height, self.width = picture.shape[:2]
        face = points[:468].astype(np.float64).copy()
        face[:, 2] = (face[:, 2] - face[:, 2].mean()) * DEPTH
        # Separates the lips of a closed mouth, whose four rows lie within two pixels, in order.
        seam = (face[LIP_ABOVE, 1] + face[LIP_BELOW, 1]) / 2
        face[LIP_ABOVE, 1], face[LIP_BELOW, 1] = seam - 0.2, seam + 0.2
        face[NEXT_ABOVE, 1] = np.minimum(face[NEXT_ABOVE, 1], seam - 0.6)
        face[NEXT_BELOW, 1] = np.maximum(face[NEXT_BELOW, 1], seam + 0.6)
        self.breadth = float(np.ptp(face[:, 0]))
        self.tall = float(face[CHIN, 1] - face[FOREHEAD, 1])
        center = face[OUTLINE].mean(0)
        # The neck's pivot, behind the midpoint of the ears.
        self.pivot = face[list(SIDES)].mean(0) + [0, 0.1 * self.tall, 0.1 * self.breadth]
        rings, weights = [], []
        for scale, behind, top, bottom in RINGS:
            ring = center + (face[OUTLINE] - center) * [scale, scale, 1]
            ring[:, 2] = face[OUTLINE, 2] + behind * self.breadth
            down = smooth((ring[:, 1] - center[1]) / (0.5 * self.tall))
            rings.append(ring)
            weights.append(top * (1 - down) + bottom * down)
        edges = [(x, y) for x in np.linspace(0, self.width - 1, 5) for y in np.linspace(0, self.height - 1, 5)
                 if x in (0, self.width - 1) or y in (0, self.height - 1)]
        edges = np.array([(x, y, rings[-1][:, 2].max()) for x, y in edges])
        self.rest = np.concatenate([face, *rings, edges])
        self.weight = np.concatenate([np.ones(468), *weights, np.zeros(len(edges))])
        inside = ((self.rest[:, :2] >= 0) & (self.rest[:, :2] <= [self.width - 1, self.height - 1])).all(1)
        self.jaw = self._jaw()
        self.triangles = self._triangles(inside)
        lips = set(LIP_ABOVE + LIP_BELOW + LIP_CORNERS)
        self.in_mouth = np.array([set(t) <= lips for t in self.triangles.tolist()])
        self.rng = np.random.default_rng(seed)
        self.noise = self.rng.normal(0, 1.6, (self.height + 64, self.width + 64, 3)).astype(np.int8)
        self.across, self.down = np.meshgrid(np.arange(self.width, dtype=np.float32),
                                             np.arange(self.height, dtype=np.float32))

    def _jaw(self):
        """Returns the share, 0…1, with which each point follows the jaw; 1 for the lower lip and the chin."""
        face = self.rest[:468]
        middle = face[LIP_ABOVE + LIP_BELOW].mean(0)
        reach = face[CHIN, 1] - middle[1]
        mouth = np.abs(face[LIP_CORNERS[0], 0] - face[LIP_CORNERS[1], 0]) / 2
        beside = np.abs(self.rest[:, 0] - middle[0])
        below = np.clip((self.rest[:, 1] - middle[1]) / reach, 0, 1)
        half = mouth + below * 0.35 * self.breadth
        jaw = 1 - 0.7 * smooth(beside / half) - 0.3 * smooth((beside - half) / (0.25 * self.breadth))
        lower = self.rest[:, 1] > middle[1]
        lower[LOWER_LIP] = True
        lower[UPPER_LIP] = False
        jaw *= lower
        jaw[468:] *= self.weight[468:]
        jaw[LIP_CORNERS + LIPS_OUTSIDE] = 0.25
        return jaw

    def _triangles(self, inside):
        """Returns a Delaunay triangulation of the head with its mouth open, since the lips of a closed mouth overlap."""
        flat = self._moved(0, 1)[:, :2]
        split = cv2.Subdiv2D((-2000, -2000, 6000, 6000))
        names = {}
        for index in np.flatnonzero(inside):
            at = split.insert((float(flat[index, 0]), float(flat[index, 1])))
            names.setdefault(at, int(index))
        found = []
        places = np.array([split.getVertex(at)[0] for at in names])
        order = list(names.values())
        for t in split.getTriangleList().reshape(-1, 3, 2):
            away = [np.abs(places - corner).sum(1) for corner in t]
            if max(d.min() for d in away) < 0.01:
                found.append([order[int(d.argmin())] for d in away])
        # Uniform winding at rest, so that back faces can be detected.
        found = np.array(found)
        a, b, c = (flat[found[:, i]] for i in range(3))
        turned = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0] < 0
        found[turned] = found[turned][:, [0, 2, 1]]
        return found

    def _moved(self, lids, mouth):
        points = self.rest.copy()
        for closed, eye in zip(np.broadcast_to(lids, 2), EYES):
            upper, lower = self.rest[eye["upper"]], self.rest[eye["lower"]]
            fall = closed * (lower - upper) * 0.88
            points[eye["upper"]] += fall
            points[eye["lower"]] -= closed * (lower - upper) * 0.08
            points[eye["crease"]] += 0.35 * fall
        points[:, 1] += mouth * 0.16 * self.tall * self.jaw
        points[UPPER_LIP, 1] -= mouth * 0.015 * self.tall
        return points

    def render(self, yaw=0.0, pitch=0.0, roll=0.0, lids=0.0, mouth=0.0, across=0.0, down=0.0):
        """Renders the head in a pose: angles in degrees (yaw + the subject's left, pitch + up, roll + to the subject's right); lid
        closure (one number, or right and left) and mouth opening, 0…1; shift across and down the image, in face widths."""
        points = self._moved(lids, mouth)
        place = self._turned(points, yaw, pitch, roll)
        place[:, :2] += np.multiply.outer(self.weight, [across * self.breadth, down * self.breadth])
        source, target = self.rest[:, :2][self.triangles], place[:, :2][self.triangles]
        edge1, edge2 = target[:, 1] - target[:, 0], target[:, 2] - target[:, 0]
        area = edge1[:, 0] * edge2[:, 1] - edge1[:, 1] * edge2[:, 0]
        depth = place[:, 2][self.triangles].mean(1)
        faces_us = np.flatnonzero(area > 1e-3)
        # Maps target pixels back to the image with an affine transform per triangle.
        table = np.zeros((len(self.triangles), 6), np.float32)
        pull1, pull2 = source[:, 1] - source[:, 0], source[:, 2] - source[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            inverse = np.stack([np.stack([edge2[:, 1], -edge2[:, 0]], -1), np.stack([-edge1[:, 1], edge1[:, 0]], -1)], 1)
            inverse = inverse / area[:, None, None]
        linear = np.einsum("nk,nj->nkj", pull1, inverse[:, 0]) + np.einsum("nk,nj->nkj", pull2, inverse[:, 1])
        offset = source[:, 0] - np.einsum("nkj,nj->nk", linear, target[:, 0])
        table[:, 0:2], table[:, 2], table[:, 3:5], table[:, 5] = linear[:, 0], offset[:, 0], linear[:, 1], offset[:, 1]
        label = np.zeros((self.height, self.width), np.int32)
        corners = np.round(target * 16).astype(np.int32)
        for index in faces_us[np.argsort(-depth[faces_us])]:
            cv2.fillConvexPoly(label, corners[index], int(index), cv2.LINE_8, 4)
        chosen = table[label]
        x = chosen[..., 0] * self.across + chosen[..., 1] * self.down + chosen[..., 2]
        y = chosen[..., 3] * self.across + chosen[..., 4] * self.down + chosen[..., 5]
        out = cv2.remap(self.picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if mouth > 0.02:
            cave = cv2.GaussianBlur(self.in_mouth[label].astype(np.float32), (0, 0), 0.8)[..., None]
            shade = min(1.0, mouth * 4) * cave
            out = (out * (1 - shade) + np.float32([38, 30, 62]) * shade).astype(np.uint8)
        dx, dy = self.rng.integers(0, 64, 2)
        return cv2.add(out, self.noise[dy:dy + self.height, dx:dx + self.width], dtype=cv2.CV_8U)

    def _turned(self, points, yaw, pitch, roll):
        a, b, c = np.radians([yaw, pitch, roll])
        ry = np.array([[np.cos(a), 0, -np.sin(a)], [0, 1, 0], [np.sin(a), 0, np.cos(a)]])
        rx = np.array([[1, 0, 0], [0, np.cos(b), np.sin(b)], [0, -np.sin(b), np.cos(b)]])
        rz = np.array([[np.cos(c), np.sin(c), 0], [-np.sin(c), np.cos(c), 0], [0, 0, 1]])
        there = (points - self.pivot) @ (rz @ ry @ rx).T
        there[:, :2] /= 1 + there[:, 2:] / (6 * self.breadth)
        rest = points - self.pivot
        rest[:, :2] /= 1 + rest[:, 2:] / (6 * self.breadth)
        # The rest pose reproduces the image exactly: perspective applies only to the displacement from it.
        moved = points + (there - rest) * self.weight[:, None]
        moved[:, 2] = np.where(self.weight > 0, moved[:, 2], points[:, 2])
        return moved

    def jpeg(self, quality=90, **pose):
        return cv2.imencode(".jpg", self.render(**pose), [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def track(mien, pictures):
    """Tracks independent images; returns the rows of `mien track --csv`."""
    with tempfile.TemporaryDirectory(prefix="mien-head-") as folder:
        for number, picture in enumerate(pictures):
            (pathlib.Path(folder) / f"{number:04d}.jpg").write_bytes(picture)
        table = pathlib.Path(folder) / "seen.csv"
        subprocess.run([mien, "track", "--raw", "--csv", str(table), folder], check=True, capture_output=True)
        return list(csv.DictReader(table.open()))


def proof(mien, head):
    """Compares tracked poses with `PROOFS`, relative to the reading at rest. Returns the largest error of each list in degrees,
    including angles that were not requested, and the rise of the lid (right, left) and mouth coefficients over those at rest."""
    poses = [{}, {"lids": 1}, {"mouth": 1}] + [pose for poses in PROOFS for pose in poses]
    rest, shut, open_, *rows = track(mien, [head.jpeg(**pose) for pose in poses])

    def rise(row, name):
        return float(row[name]) - float(rest[name])

    rows = iter(rows)
    errors = [max(abs(rise(row, f"{name}_deg") - pose.get(name, 0)) for pose, row in zip(poses, rows)
                  for name in ("yaw", "pitch", "roll")) for poses in PROOFS]
    return errors, [rise(shut, name) for name in ("eyeBlinkRight", "eyeBlinkLeft")], rise(open_, "jawOpen")


def read_landmarks(mien, picture):
    """Returns the landmarks that the tracker finds in an image, in pixels."""
    height, width = picture.shape[:2]
    with tempfile.TemporaryDirectory(prefix="mien-head-") as folder:
        still, table = pathlib.Path(folder) / "still.png", pathlib.Path(folder) / "points.csv"
        cv2.imwrite(str(still), picture)
        subprocess.run([mien, "track", "--raw", "--landmarks", str(table), str(still)], check=True, capture_output=True)
        rows = [[float(row[name]) for name in "xyz"] for row in csv.DictReader(table.open())]
    return np.array(rows) * [width, height, width]


@functools.cache
def head(mien, data, kind=Head):
    """Returns the test head; `data` is the shared/data folder with the footage, `kind` the class to instantiate."""
    command = ["ffmpeg", "-v", "error", "-nostdin", "-ss", str(MOMENT), "-i", str(data / "face_video" / CLIP), "-frames:v", "1",
               "-vf", f"scale=-2:{SIZE[1]},crop={SIZE[0]}:{SIZE[1]}:{LEFT}:0", "-c:v", "png", "-f", "image2pipe", "-"]
    still = subprocess.run(command, check=True, capture_output=True).stdout
    picture = cv2.imdecode(np.frombuffer(still, np.uint8), cv2.IMREAD_COLOR)
    return kind(picture, read_landmarks(mien, picture))
