"""What a server acknowledged to whom, kept outside of it: the truth that a killed server is held against."""

import threading


class Ledger:
    """Every entry is written after the acknowledgement came, never before; what was asked and not answered is `open`."""

    def __init__(self):
        self.lock = threading.Lock()
        self.captures, self.messages, self.verdicts, self.webhooks, self.people = {}, {}, {}, {}, {}
        self.erased = []
        self.counts = {}

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1


class Message:
    """A locked message, and how many wrong attempts were told, and begun without being told."""

    def __init__(self, id, receipt, text, attempts):
        self.id, self.receipt, self.text, self.attempts = id, receipt, text, attempts
        self.told, self.unsure = 0, 0
