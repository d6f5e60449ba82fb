"""Compares two servers on one PostgreSQL with one server: the ratio of answered frames.

usage, in Tests/EndToEnd: python -m reliability.two_node_benchmark [--program PROGRAM] [--share 0.25] [--people 10] [--seconds 20] [--rounds 5]

So that processors are not the bottleneck, a control group limits every server to the same share of one processor (Linux, root;
`cpu` of version 1 or 2): the rest is left to the database and the load generator. Each server gets more users than it can answer
ten times a second, so it is always saturated; each user sends a frame once the last was answered, and drops late ones, as a
camera does. Each round measures first one server and then two, and counts the frames answered with a step of the check, from the
time the first users have left, when arrivals balance departures, to the last arrival. Prints the median of the rounds' ratios,
the latency of these frames and the idle share of the machine.

A round fails if a request is refused, a connection breaks, or a check is not still open at the end of its video, which matches no
task: a decided check would have sent fewer frames.
"""

import argparse
import os
import pathlib
import statistics
import sys
import threading

from reliability import load
from reliability.external_services import Services
from support.program import PROGRAM

GROUPS = pathlib.Path("/sys/fs/cgroup/cpu" if os.path.isdir("/sys/fs/cgroup/cpu") else "/sys/fs/cgroup")
PERIOD = 10_000


class CPULimitedServer:
    """A server limited to a share of one processor."""

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


class RoundRobinServers:
    """Several servers behind one address: each new connection goes to the next server."""

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


def idle():
    """Returns the machine's idle ticks, and all ticks."""
    ticks = [int(number) for number in open("/proc/stat").readline().split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def ramp_up_seconds():
    """Returns the seconds until the first users have left: their video, one second for a late frame, and one for the replies."""
    return len(load.CheckUser.frames) / load.FRAMES_A_SECOND + 2


def measure_throughput(server, people, seconds, seed):
    """Measures a load; returns the frames answered per second, and a summary."""
    ticks = []
    timers = [threading.Timer(moment, lambda: ticks.append(idle())) for moment in (ramp_up_seconds(), seconds)]
    for timer in timers:
        timer.start()
    measurements, report = load.run_load(server, people, seconds, seed, others=False)
    for timer in timers:
        timer.join()
    start = measurements.began + ramp_up_seconds()
    times = measurements.latencies_between("frame 200", start, measurements.ended)
    frames = len(times) / (measurements.ended - start)
    rest, all_ticks = (after - before for before, after in zip(*ticks))
    refused = {name: count for name, count in measurements.statuses.items() if int(name.split()[-1]) >= 400}
    assert not measurements.broken_connections and not refused, (measurements.broken_connections, refused)
    assert measurements.final_states == {"open": report["arrivals"]}, measurements.final_states
    return frames, (f"{frames:.0f} frames a second of {people:.0f} people, {measurements.percentile(times, .95):.0f} ms (95th "
                    f"percentile), machine {rest / all_ticks:.0%} idle")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--people", type=float, default=10)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    load.CheckUser.frames = load.footage.clip("pyfeat/single_face.mp4")[:60] if load.footage.shared() else load.footage.drawn(60)
    if options.seconds < 2 * ramp_up_seconds():
        parser.error(
            f"--seconds must be {2 * ramp_up_seconds():.0f} or more: {ramp_up_seconds():.1f} go by before anything is counted")
    services, limited, ratios = Services(), [], []
    arguments = ["--message-limit", "0", "--lockout-failures", "0", "--engines", "1"]
    try:
        servers = []
        for _ in range(2):
            servers.append(services.server(options.program, arguments))
            limited.append(CPULimitedServer(servers[-1], options.share))
        servers[1].key = servers[0].key
        for number in range(options.rounds):
            # Different seeds per run: seeds determine the frames, and frames seen before are refused.
            one, of_one = measure_throughput(RoundRobinServers(servers[:1]), options.people, options.seconds, 2 * number)
            two, of_two = measure_throughput(RoundRobinServers(servers), 2 * options.people, options.seconds, 2 * number + 1)
            ratios.append(two / one)
            print(f"one server {of_one}; two {of_two}; {ratios[-1]:.2f} x", flush=True)
    finally:
        for one in limited:
            one.clean()
        services.stop()
    ratio = statistics.median(ratios)
    print(f"two servers answer {ratio:.2f} x as many frames as one, each with {options.share} of a processor (required: 1.7)")
    sys.exit(0 if ratio >= 1.7 else 1)


if __name__ == "__main__":
    main()
