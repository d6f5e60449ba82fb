"""Clips for Chromium's fake camera, cut from real footage or drawn; never stored in the repository.

Chromium plays a Motion JPEG file at 30 frames per second whatever its frame rate, starts when the camera opens, and loops; so
every clip is made at 30 and is long enough for one check.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

# Times in `zubair/real.mov`, in seconds, chosen by inspecting frames and measuring angles. At most other times this person looks
# some 6° past the camera, more than the limit for a frontal pose.
FRONTAL = (1.4, 2.0)  # straight ahead, yaw +2° to +3°
# Straight, the subject's own side, straight; without the middle of the profile, which no tracker detects.
RIGHT = [(6.15, 7.6), (8.6, 9.05)]
LEFT = [(9.0, 9.6), (11.4, 12.05)]
# This person turns in 0.2 s, three frames. At half speed, a loaded test machine still processes frames of the turn.
SLOWDOWN = 2


def shared_data() -> Path:
    """Returns the folder `shared/data` beside the project, or below `MIEN_SHARED`."""
    named = os.environ.get("MIEN_SHARED")
    folders = [Path(named)] if named else [parent / "shared" for parent in Path(__file__).resolve().parents]
    for folder in folders:
        if (folder / "data" / "face_video").is_dir():
            return folder / "data"
    pytest.skip("shared/data not found")


class Footage:
    """Creates each clip once, in its own temporary folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def turn_right(self) -> Path:
        return self._turn("turn-right", RIGHT)

    def turn_left(self) -> Path:
        return self._turn("turn-left", LEFT)

    def blinks(self) -> Path:
        """Returns a clip of a person who looks at the camera and blinks twice within nine seconds."""
        source = shared_data() / "face_video" / "pyfeat" / "WolfgangLanger_Pexels.mp4"
        return self._make("blinks", ["-i", str(source)], "[0:v]null")

    def no_face(self) -> Path:
        """Returns a cartoon without a face."""
        source = shared_data() / "face_video" / "pyfeat" / "no_face.mp4"
        return self._make("no-face", ["-stream_loop", "-1", "-t", "30", "-i", str(source)], "[0:v]null")

    def plain(self, color: str) -> Path:
        """Returns a clip of one color, as of a closed shutter (black) or a muted track."""
        return self._make(f"plain-{color}", [], f"color=c={color}:s=640x360:d=2:r=30")

    def frozen(self, portrait: bytes) -> Path:
        """Returns a clip that repeats one picture of a face."""
        picture = self.folder / "portrait.jpg"
        picture.write_bytes(portrait)
        return self._make("frozen", ["-loop", "1", "-t", "2", "-i", str(picture)], "[0:v]null", size="640:-2")

    def two_halves(self) -> Path:
        """Returns a clip with a red left half and a blue right half, which shows if an image is mirrored."""
        halves = "color=c=red:s=480x540:d=20:r=30[l];color=c=blue:s=480x540:d=20:r=30[r];[l][r]hstack"
        return self._make("two-halves", [], halves, size="960:540")

    def _turn(self, name: str, spans: list[tuple[float, float]], frontal_seconds: float = 6.0) -> Path:
        """Composes a clip: straight ahead, one turn and return, and straight ahead again for long enough."""
        source = shared_data() / "face_video" / "zubair" / "real.mov"
        parts = [f"[part{number}]" for number in range(len(spans))]
        # Center crop without scaling: the field of view of a 4:3 camera.
        graph = [f"[0:v]fps=15,crop=640:480:160:60,split={len(spans) + 2}[x][z]{''.join(f'[in{number}]' for number in range(len(spans)))}"]
        graph += [
            f"[in{number}]trim={begin}:{end},setpts={SLOWDOWN}*(PTS-STARTPTS),fps=15{parts[number]}"
            for number, (begin, end) in enumerate(spans)
        ]
        graph += [ping_pong_loop("x", FRONTAL, frontal_seconds, "before"), ping_pong_loop("z", FRONTAL, 14, "after")]
        graph += [f"[before]{''.join(parts)}[after]concat=n={len(spans) + 2}"]
        return self._make(name, ["-i", str(source)], ";".join(graph), size="640:480")

    def _make(self, name: str, inputs: list[str], graph: str, size: str = "640:360") -> Path:
        target = self.folder / f"{name}.mjpeg"
        if not target.exists():
            command = ["ffmpeg", "-v", "error", "-y", *inputs, "-filter_complex"]
            graph += f",fps=30,scale={size},format=yuvj420p"
            command += [graph, "-an", "-c:v", "mjpeg", "-q:v", "3", str(target)]
            subprocess.run(command, check=True, timeout=300)
        return target


def ping_pong_loop(stream: str, span: tuple[float, float], seconds: float, name: str) -> str:
    """Plays a short frontal segment forward and backward, so that it lasts `seconds` without a jump."""
    frames = 2 * round((span[1] - span[0]) * 15)
    return (
        f"[{stream}]trim={span[0]}:{span[1]},setpts=PTS-STARTPTS,split[{name}1][{name}2];"
        f"[{name}2]reverse[{name}3];[{name}1][{name}3]concat=n=2,"
        f"loop=loop=-1:size={frames}:start=0,setpts=N/15/TB,trim=duration={seconds}[{name}]"
    )
