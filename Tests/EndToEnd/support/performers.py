"""Movements of a rendered head for each task, correct and wrong.

Every performer is called with the server's last step and the seconds since tracking of its task began. It returns a pose for
`synthetic_head.Head`: yaw, pitch and roll in degrees, lid closure and mouth opening (0…1).
"""

import math
import random

REST = 1.2  # seconds of rest before every task but the head turn


def bump(t, seconds):
    """Rises smoothly to 1 and falls back to 0 within `seconds`."""
    return math.sin(math.pi * t / seconds) ** 2 if 0 < t < seconds else 0.0


def lid_closure(t, seconds):
    """Closed for `seconds`, including 0.08 s each to close and to open."""
    return max(0.0, min(1.0, t / 0.08, (seconds - t) / 0.08))


class HeadMotion:
    """Movement of one performer in front of the camera: at rest until a task is tracked, with constant small movements."""

    # In degrees and face widths.
    SWAY = {"yaw": 0.8, "pitch": 0.6, "roll": 0.6, "across": 0.08, "down": 0.06}

    # Longest step of the movement between two frames that the server sees, in seconds: on a busy machine the head moves slower,
    # instead of making a nod between two frames. A blink must stay shorter than the longest closure that counts as one.
    LONGEST = 0.25

    def __init__(self, performer, seed=1):
        self.performer, self.since, self.index = performer, None, None
        self.now, self.before, self.frame, self.limit = 0.0, 0.0, None, math.inf
        rng = random.Random(seed)
        # Sines without a common period: an exactly repeating movement would be detected as a loop.
        self.waves = {name: [(rng.uniform(0.3, 1.9), rng.uniform(0, 7)) for _ in range(3)] for name in (*self.SWAY, "lids")}

    def sway(self, name, t):
        return sum(math.sin(speed * t + start) for speed, start in self.waves[name]) / 3

    def motion_time(self, t, frame):
        """Returns the time of the movement at `t`; `frame` numbers the frames that the server has seen."""
        if frame != self.frame:
            self.frame, self.limit = frame, self.now + self.LONGEST
        self.now, self.before = min(self.now + t - self.before, self.limit), t
        return self.now

    def pose(self, step, t, frame):
        t = self.motion_time(t, frame)
        pose = {name: size * self.sway(name, t) for name, size in self.SWAY.items()}
        # Open lids move a little, too.
        pose["lids"] = open_ = 0.06 + 0.06 * self.sway("lids", t)
        if step and step["state"] == "tracking":
            # A check that was created with a challenge names no task.
            index = step["task"]["index"] if step.get("task") else 0
            if self.since is None or index != self.index:
                self.since, self.index = t, index
            made = self.performer(step, t - self.since)
            for name in self.SWAY:
                pose[name] += made.get(name, 0.0)
            pose["mouth"] = made.get("mouth", 0.0)
            lids = made.get("lids", 0.0)
            pose["lids"] = tuple(max(open_, lid) for lid in (lids if isinstance(lids, tuple) else (lids, lids)))
        return pose


class NoMovement:
    """Does nothing."""

    def __call__(self, step, t):
        return {}


class Turn:
    """Turns to the requested side and back; `direction` −1 turns to the other side."""

    def __init__(self, degrees=34, seconds=2.6, direction=1, returns=True):
        self.degrees, self.seconds, self.direction, self.returns = degrees, seconds, direction, returns

    def __call__(self, step, t):
        sign = 1 if step["side"] == "subject-left" else -1
        t = max(0, t - 0.5)
        out = bump(t, self.seconds) if self.returns else bump(min(t, self.seconds / 2), self.seconds)
        return {"yaw": sign * self.direction * self.degrees * out}


class Circle:
    """Rests, then moves in a circle in the requested direction, starting at the top; `direction` −1 reverses it."""

    def __init__(self, radius=17, seconds=4.0, share=1.15, direction=1, reverses_at=None):
        self.radius, self.seconds, self.share, self.direction, self.reverses_at = radius, seconds, share, direction, reverses_at

    def __call__(self, step, t):
        t -= REST
        if t < 0:
            return {}
        sign = -1 if step["task"]["prompt"].get("direction") == "subject-right-first" else 1
        turn = min(t / self.seconds, self.share)
        if self.reverses_at and turn > self.reverses_at:
            turn = 2 * self.reverses_at - turn
        angle = sign * self.direction * 2 * math.pi * turn
        radius = self.radius * min(1, t / 0.3)
        return {"yaw": radius * math.sin(angle), "pitch": radius / 1.5 * math.cos(angle)}


class Follow:
    """Moves towards the target at human speed; `mirrored` moves to the opposite side, `stops_after` stops early."""

    def __init__(self, mirrored=False, stops_after=99, own=None, speed=50, reach=(18, 11)):
        self.sign, self.stops_after, self.own = -1 if mirrored else 1, stops_after, own
        self.speed, self.reach = speed, reach
        self.at, self.time = [0.0, 0.0], None

    def __call__(self, step, t):
        prompt = step["task"]["prompt"]
        past, self.time = self.time if self.time is not None else t, t
        target = prompt.get("target")
        if self.own and t > REST:
            target = self.own[int((t - REST) / 1.2) % len(self.own)]
        if target is not None and prompt.get("done", 0) < self.stops_after:
            direction = [self.sign * part * reach - at for part, reach, at in zip(target, self.reach, self.at)]
            length = math.hypot(*direction)
            if length > 0.01:
                share = min(1.0, self.speed * max(0.0, t - past) / length)
                self.at = [at + part * share for at, part in zip(self.at, direction)]
        return {"yaw": self.at[0], "pitch": self.at[1]}


class Answer:
    """Tilts right for yes, left for no, upright in between; a `degrees` of 6 is too small to count as a tilt."""

    def __init__(self, answers, degrees=22):
        self.answers, self.degrees = answers, degrees
        self.roll, self.time, self.asked, self.since = 0.0, None, None, 0.0

    def __call__(self, step, t):
        past, self.time = self.time if self.time is not None else t, t
        question = step["task"]["prompt"].get("question")
        if question != self.asked:
            self.asked, self.since = question, t
        goal = 0.0
        if question and t - self.since > 0.7:
            goal = self.degrees if self.answers[question] else -self.degrees
        self.roll += max(-60 * (t - past), min(60 * (t - past), goal - self.roll))
        return {"roll": self.roll}


class Move:
    """Makes each requested motion, or its replacement in `instead`, `after` seconds after the request."""

    SECONDS = {"nod": 1.0, "blink": 0.44, "open-mouth": 0.9, "close-eyes": 1.4}

    def __init__(self, instead=None, after=0.4, seed=1):
        self.instead, self.after = instead or {}, after
        self.asked, self.since, self.rng, self.amplitude, self.tempo = None, 0.0, random.Random(seed), 1.0, 1.0

    def __call__(self, step, t):
        prompt = step["task"]["prompt"]
        asked = (prompt.get("next"), prompt.get("done"))
        if asked != self.asked:
            self.asked, self.since = asked, t
            # Varies every motion, since people never move exactly alike twice.
            self.amplitude, self.tempo = self.rng.uniform(0.85, 1.25), self.rng.uniform(0.85, 1.3)
        if asked[0] is None:
            return {}
        motion = self.instead.get(asked[0], asked[0])
        # Repeats every two seconds, as people do when nothing happens.
        seconds = self.SECONDS[motion] * self.tempo
        t = (t - self.since - self.after) % (seconds + 2) if t - self.since > self.after else -1
        if motion == "nod":
            down = bump(t, seconds)
            return {"pitch": -19 * self.amplitude * down, "yaw": 20 * (self.amplitude - 1) * down, "down": 0.05 * self.amplitude * down}
        if motion == "open-mouth":
            return {"mouth": min(1.0, 1.4 * self.amplitude * bump(t, seconds))}
        return {"lids": min(1.0, 0.95 + 0.1 * (self.amplitude - 0.85)) * lid_closure(t, seconds)}


class Blink:
    """Rests, then blinks about every 1.3 s; `seconds` is the length of each closure, `eyes` selects the lids that close."""

    def __init__(self, seconds=0.36, eyes=(1, 1), pause=0.9):
        self.seconds, self.eyes = seconds, eyes
        rng, at, self.blinks = random.Random(1), 0.0, []
        while len(self.blinks) < 60:  # every blink is a little different
            self.blinks.append((at, seconds * rng.uniform(0.9, 1.1), rng.uniform(0.85, 1)))
            at += seconds + pause * rng.uniform(0.7, 1.4)

    def __call__(self, step, t):
        t -= REST + 0.4
        closed = max(depth * lid_closure(t - at, seconds) for at, seconds, depth in self.blinks)
        return {"lids": tuple(closed * eye for eye in self.eyes)}


class PerTask:
    """Performs each task of a check with its own performer, in order."""

    def __init__(self, *performers):
        self.performers = performers

    def __call__(self, step, t):
        return self.performers[step["task"]["index"]](step, t)
