"""Expression coefficients as a phone's face tracker reports them, for ideal performances."""

NAMES = ["wink_l", "tongue_out", "surprise", "wink_r", "smile", "smooch"]
REST = {name: 0.04 for name in (
    "tongueOut", "eyeBlinkLeft", "eyeBlinkRight", "mouthPucker", "cheekPuff", "jawOpen", "browInnerUp",
    "browOuterUpLeft", "browOuterUpRight", "mouthSmileLeft", "mouthSmileRight")}
FACES = {
    "wink_l": {"eyeBlinkLeft": 0.95}, "wink_r": {"eyeBlinkRight": 0.95}, "tongue_out": {"tongueOut": 0.9, "jawOpen": 0.4},
    "surprise": {"jawOpen": 0.8, "browInnerUp": 0.8, "browOuterUpLeft": 0.7, "browOuterUpRight": 0.7},
    "smile": {"mouthSmileLeft": 0.85, "mouthSmileRight": 0.85}, "smooch": {"mouthPucker": 0.9},
}


def expression_observations(steps, hold=0.55, rest=0.3, rate=20):
    """Returns the observations of a person who performs `steps`, as seconds and coefficients."""
    lines, t = [], 0.0
    for step in steps:
        for face, length in (({}, rest), (FACES[step], hold)):
            for _ in range(round(length * rate)):
                lines.append({"t": round(t, 4), "faces": 1, "blendshapes": {**REST, **face}})
                t += 1 / rate
    return lines
