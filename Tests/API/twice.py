"""A second try for what is played in real time."""

import time
import traceback


def twice(name, attempt, never=()):
    """Attempts once more what failed, for a person before a camera is played in real time and the machine may be elsewhere.

    It is told, with what went wrong, in a line that begins with "unsteady"; `./test` counts those and allows three.
    """
    try:
        return attempt()
    except never:
        raise
    except Exception:
        first = traceback.format_exc()
    time.sleep(5)
    told = attempt()
    print(f"unsteady {name}: it failed once and passed when tried again; the first time:\n{first}", flush=True)
    return told
