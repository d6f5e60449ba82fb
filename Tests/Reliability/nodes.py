"""Two servers on one PostgreSQL beside one: how many more people at once they carry.

usage: nodes.py --mien PATH_OF_THE_PROGRAM [--share 0.35] [--seconds 20] [--rounds 3]

So that processors are not the limit, every server gets the same share of one by a control group (Linux, root; `cpu` of version 1
or 2): what is left is the database's and the load's. People come to the servers in turn. In each round first one server and then
two are looked at: the most people with whom a frame is answered within 250 ms (95th percentile), in steps of a tenth. The
median of the rounds' ratios is told, and what the database's processes took for each check.
"""

import argparse
import os
import pathlib
import statistics
import sys

import load
from beyond import Beyond

GROUPS = pathlib.Path("/sys/fs/cgroup/cpu" if os.path.isdir("/sys/fs/cgroup/cpu") else "/sys/fs/cgroup")
PERIOD = 10_000


class Fenced:
    """A server that gets a share of one processor."""

    def __init__(self, server, share):
        self.server = server
        self.group = GROUPS / f"mien-node-{server.process.pid}"
        self.group.mkdir()
        if (self.group / "cpu.cfs_quota_us").exists():
            (self.group / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self.group / "cpu.cfs_quota_us").write_text(str(int(share * PERIOD)))
        else:
            (self.group / "cpu.max").write_text(f"{int(share * PERIOD)} {PERIOD}")
        (self.group / "cgroup.procs").write_text(str(server.process.pid))

    def clean(self):
        self.server.clean()
        self.group.rmdir()


class Front:
    """Several servers that look like one to `load`: whoever comes is sent to the next, and stays there."""

    def __init__(self, servers):
        self.servers, self.key, self.turn = servers, servers[0].key, 0

    @property
    def port(self):
        self.turn += 1
        return self.servers[self.turn % len(self.servers)].port

    def over(self, *arguments):
        return self.servers[0].over(*arguments)

    def memory(self):
        return sum(server.memory() for server in self.servers)


def carried(front, seconds):
    """The most people in steps of a tenth, and the frames that were answered with them, a second.

    First in steps of a half, to come near; then in tenths, each of which is tried twice before it counts as too many: a few people
    that come at the same moment make a spell worse than it is.
    """
    def answered(people):
        tally, told = load.spell(front, people, seconds, int(people * 10))
        late = tally.share("frame", .95) or 1e9
        return None if late > 250 or tally.broken else told["operations"]["frame"]["replies"] / seconds

    people, good = 2.0, (0, 0.0)
    for step, tries in ((1.5, 1), (1.1, 2)):
        while people < 200:
            frames = next(filter(None, (answered(people) for _ in range(tries))), None)
            if frames is None:
                break
            good = people, frames
            people *= step
        people = good[0] * 1.1 or 2.0
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("--share", type=float, default=0.35)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    load.Checked.frames = load.footage.clip("pyfeat/single_face.mp4")[:60] if load.footage.shared() else load.footage.drawn(60)
    peers, fenced, ratios = Beyond(), [], []
    words = ["--message-limit", "0", "--lockout-failures", "0", "--engines", "1"]
    try:
        servers = []
        for _ in range(2):
            servers.append(peers.server(options.mien, words))
            fenced.append(Fenced(servers[-1], options.share))
        servers[1].key = servers[0].key
        for number in range(options.rounds):
            one = carried(Front(servers[:1]), options.seconds)
            two = carried(Front(servers), options.seconds)
            ratios.append(two[1] / one[1])
            print(f"one server {one[0]:.1f} people, {one[1]:.0f} frames a second; two {two[0]:.1f} people, {two[1]:.0f}; "
                  f"{ratios[-1]:.2f} x", flush=True)
    finally:
        for one in fenced:
            one.clean()
        peers.stop()
    ratio = statistics.median(ratios)
    print(f"two servers carry {ratio:.2f} x what one carries, each with {options.share} of a processor (asked: 1.7)")
    sys.exit(0 if ratio >= 1.7 else 1)


if __name__ == "__main__":
    main()
