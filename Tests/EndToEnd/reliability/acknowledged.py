"""Record of all data that a server has acknowledged, kept outside of it, to compare a killed server with."""

import threading


class AcknowledgedData:
    """Entries are written after the acknowledgement arrived, never before."""

    def __init__(self):
        self.lock = threading.Lock()
        self.captures, self.messages, self.verdicts, self.webhooks, self.people = {}, {}, {}, {}, {}
        self.scans = {}
        self.erased = []
        self.kills = 0
        self.counts = {}

    def count(self, kind):
        with self.lock:
            self.counts[kind] = self.counts.get(kind, 0) + 1


class Message:
    """A locked message, with the number of wrong attempts reported to clients, and of attempts whose reply was lost."""

    def __init__(self, id, receipt, text, attempts):
        self.id, self.receipt, self.text, self.attempts = id, receipt, text, attempts
        self.reported, self.unanswered = 0, 0


class Scan:
    """A depth scan. Requests are recorded before they are sent, replies afterwards."""

    def __init__(self, id, kills):
        self.id = id
        # Number of kills before the server could know of the scan.
        self.kills = kills
        # SHA-256 digests of complete files by name, and acknowledged bytes of unfinished uploads.
        self.digests, self.offsets = {}, {}
        self.submitted = self.cancelling = self.cancelled = self.erasing = False
        # Once done or failed: status, problem code, and digests of the results.
        self.final = None
