"""The browser tests; each module registers its own with `@case`."""

CASES = []


def case(name: str):
    """Registers a test under a sentence that states the expected behavior."""

    def register(function):
        CASES.append((name, function))
        return function

    return register
