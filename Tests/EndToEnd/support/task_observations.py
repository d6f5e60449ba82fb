"""Observations of a person performing tasks, as a phone would send them.

Every performer is a function of the step and the time since tracking began; it returns yaw, pitch, roll and coefficients.
"""

import math


def eyes(closed):
    return {"eyeBlinkLeft": closed, "eyeBlinkRight": closed}


class Blinker:
    """Blinks once every 0.6 seconds as long as requested."""

    def __call__(self, step, t):
        phase = t % 0.6
        return {"coefficients": eyes(0.9 if 0.2 < phase < 0.35 and t > 1.2 else 0.05)}


class Circler:
    """Rests, then moves in a circle once in four seconds in the requested direction."""

    def __call__(self, step, t):
        if t < 1.2:
            return {}
        prompt = step["task"]["prompt"]
        sign = 1 if prompt.get("direction") == "subject-left-first" else -1
        turn = min((t - 1.2) / 4, 1.15)
        radius = 18 * min(1, (t - 1.2) / 0.3)
        angle = sign * 2 * math.pi * turn
        return {"yaw": radius * math.sin(angle), "pitch": radius / 1.5 * math.cos(angle)}


class Follower:
    """Moves the head towards the target at human speed."""

    def __init__(self, yaw=18, pitch=11):
        self.reach, self.at, self.time = (yaw, pitch), [0.0, 0.0], None

    def __call__(self, step, t):
        prompt = step["task"]["prompt"]
        past, self.time = self.time or t, t
        if prompt.get("target") is not None:
            goal = [part * reach for part, reach in zip(prompt["target"], self.reach)]
            way = [g - a for g, a in zip(goal, self.at)]
            length = math.hypot(*way)
            step_length = min(length, 45 * (t - past))
            if length > 0.01:
                self.at = [a + w / length * step_length for a, w in zip(self.at, way)]
        return {"yaw": self.at[0], "pitch": self.at[1]}


class Answerer:
    """Tilts right for yes, left for no, and returns upright in between."""

    def __init__(self, answers):
        self.answers, self.roll, self.time, self.asked, self.since = answers, 0.0, None, None, 0

    def __call__(self, step, t):
        past, self.time = self.time or t, t
        question = step["task"]["prompt"].get("question")
        if question != self.asked:
            self.asked, self.since = question, t
        goal = 0.0
        if question and t - self.since > 0.6:
            goal = 24.0 if self.answers[question] else -24.0
        self.roll += max(-60 * (t - past), min(60 * (t - past), goal - self.roll))
        return {"roll": self.roll}
