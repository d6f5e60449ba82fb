"""Retries for real-time tests."""

import time
import traceback


def twice(name, attempt, never=()):
    """Runs `attempt` again after a failure, since real-time tests can fail on a busy machine.

    Prints the first failure in a line that begins with "unsteady"; `./test` counts those and allows three.
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
