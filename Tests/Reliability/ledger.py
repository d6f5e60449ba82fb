"""What a server acknowledged to whom, kept outside of it: the truth that a killed server is held against."""

import threading


class Ledger:
    """Every entry is written after the acknowledgement came, never before; what was asked and not answered is `open`."""

    def __init__(self):
        self.lock = threading.Lock()
        self.captures, self.messages, self.verdicts, self.webhooks, self.people = {}, {}, {}, {}, {}
        self.scans = {}
        self.erased = []
        self.kills = 0
        self.counts = {}

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1


class Message:
    """A locked message, and how many wrong attempts were told, and begun without being told."""

    def __init__(self, id, receipt, text, attempts):
        self.id, self.receipt, self.text, self.attempts = id, receipt, text, attempts
        self.told, self.unsure = 0, 0


class Scan:
    """A depth scan. What is asked is written before, what was answered after."""

    def __init__(self, id, kills):
        self.id = id
        # How often the server had died before it could know of the scan.
        self.kills = kills
        # Of files that are whole, by name; and of uploads under way how many bytes were acknowledged.
        self.digests, self.offsets = {}, {}
        self.submitted = self.cancelling = self.cancelled = self.erasing = False
        # Once it was seen done or failed: its state, its problem's code, the digests of its results.
        self.final = None
