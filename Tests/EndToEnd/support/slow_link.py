"""A proxy that behaves like a slow link: delay each way, a limited upload rate, and lost packets.

A lost packet delays the rest of its connection until it is sent again, as TCP does: after a round trip if enough packets follow it,
otherwise after the retransmission timeout. All connections share the rate.
"""

import asyncio
import random
import threading

PACKET = 1448
PACKETS_THAT_TELL = 3  # duplicate acknowledgments of TCP's fast retransmit
TIMEOUT = 0.2  # Linux's shortest retransmission timeout, on top of the round trip


class SlowLink:
    """Runs in a thread of its own until `close`.

    `round_trip` in seconds, `upload` in bits per second (None for no limit), `loss` as a share of packets.
    """

    def __init__(self, port_of_server, round_trip=0.0, upload=None, loss=0.0, seed=1):
        self.port_of_server, self.delay, self.upload, self.loss = port_of_server, round_trip / 2, upload, loss
        self.random = random.Random(seed)
        self.uploaded = 0
        self.free_at = 0.0  # when the link has sent what was given to it
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,), daemon=True)
        self.thread.start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        self.listener = self.loop.run_until_complete(asyncio.start_server(self.accept, "127.0.0.1", 0))
        self.port = self.listener.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def accept(self, near, near_out):
        far_out = None
        try:
            await asyncio.sleep(2 * self.delay)  # the handshake
            far, far_out = await asyncio.open_connection("127.0.0.1", self.port_of_server)
            await asyncio.gather(self.pump(near, far_out, True), self.pump(far, near_out, False))
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            for end in (near_out, far_out):
                if end:
                    end.close()

    async def pump(self, source, target, is_upload):
        """Passes on what `source` sends, each part when it would have arrived."""
        parts = asyncio.Queue()
        passing = asyncio.create_task(self.deliver(parts, target))
        last = 0.0
        try:
            while part := await source.read(1 << 16):
                now = self.loop.time()
                sent = now
                if is_upload:
                    self.uploaded += len(part)
                    if self.upload:
                        self.free_at = sent = max(now, self.free_at) + len(part) * 8 / self.upload
                # In order: what follows a lost packet waits for it.
                last = max(last, sent + self.delay + self.retransmission(len(part)))
                parts.put_nowait((last, part))
        finally:
            parts.put_nowait((last, b""))
            await passing

    def retransmission(self, count):
        packets, wait = -(-count // PACKET), 0.0
        for index in range(packets):
            if self.random.random() < self.loss:
                follow = packets - 1 - index
                wait += 2 * self.delay + (0 if follow >= PACKETS_THAT_TELL else TIMEOUT)
        return wait

    async def deliver(self, parts, target):
        while True:
            at, part = await parts.get()
            await asyncio.sleep(max(0, at - self.loop.time()))
            try:
                if not part:
                    target.write_eof()
                    return
                target.write(part)
                await target.drain()
            except (ConnectionError, OSError, RuntimeError):
                return

    def close(self):
        async def end():
            self.listener.close()
            for task in asyncio.all_tasks():
                if task is not asyncio.current_task():
                    task.cancel()
            await asyncio.sleep(0.05)

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
