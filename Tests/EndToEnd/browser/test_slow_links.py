"""Tests of the page on slow links: the frame rate, the size of frames, and the texts of problems."""

from __future__ import annotations

import json

from browser.environment import BrowserEnvironment, begin, ending, equal, screen, true
from browser.page_checks import TEXTS
from support.program import ROOT
from support.slow_link import SlowLink

CODES = json.loads((ROOT / "Web/openapi.json").read_text())["paths"]["/v1/checks/{id}/frames"]["post"]["x-problem-codes"]


def test_every_problem_of_a_frame_has_a_text(env: BrowserEnvironment) -> None:
    """Every problem code that a frame can get ends with a text of its own, in every language."""
    with env.page(env.browser()) as page:
        page.goto(env.server.url + "/check")
        missing = page.evaluate("""async ([codes, languages]) => {
          const { ofOutcome } = await import("/assets/core/outcomes.js");
          const missing = [];
          for (const language of languages) {
            const table = await (await fetch(`/assets/texts/${language}.json`)).json();
            const texts = { has: (key) => key in table };
            for (const code of codes) {
              const { key } = ofOutcome({ kind: "problem", code }, { texts, renewable: true });
              if (key === "problem.unknown" || !table[`${key}.text`]) missing.push(`${language}: ${code}`);
            }
          }
          return missing;
        }""", [CODES, list(TEXTS)])
        equal(missing, [], "codes without a text")


def test_genuine_turn_passes_at_300_milliseconds(env: BrowserEnvironment) -> None:
    """A recorded person passes in the page at a round trip of 300 ms, and several frames are under way at once."""
    link = SlowLink(int(env.server.url.rsplit(":", 1)[1]), 0.3)
    check = env.server.create("turn-left")
    frames: list[float] = []
    try:
        with env.page(env.browser(env.footage.turn_left())) as page:
            env.hosts_elsewhere.add(f"127.0.0.1:{link.port}")
            page.on("request", lambda request: frames.append(1) if request.url.endswith("/frames") else None)
            begin(page, f"http://127.0.0.1:{link.port}" + check["page"])
            page.wait_for_selector(screen("check"))
            began = page.evaluate("performance.now()")
            heading = ending(page)
            seconds = (page.evaluate("performance.now()") - began) / 1000
            equal(heading, "Thank you, you’re done", "heading")
    finally:
        link.close()
    true(len(frames) / seconds > 6, f"{len(frames)} frames in {seconds:.1f} s; one at a time, they would be 3 a second")


def test_frames_follow_the_upload_rate(env: BrowserEnvironment) -> None:
    """The plan keeps 15 frames a second on a good link, within 1.5 MB, and 400 KB on a slow one."""
    with env.page(env.browser()) as page:
        page.goto(env.server.url + "/check")
        sent = page.evaluate("""async () => {
          const { UploadRate } = await import("/assets/core/upload-rate.js");
          const send = (seconds, bytesPerSecond, roundTrip) => {
            const rate = new UploadRate();
            let [now, free, bytes, frames, flights] = [0, 0, 0, 0, []];
            while (now < seconds) {
              for (const one of flights.filter(({ at }) => at <= now)) rate.acknowledged(one.bytes, one.sentAt * 1000, one.at * 1000);
              flights = flights.filter(({ at }) => at > now);
              const plan = rate.plan;
              if (flights.length < 6) {
                rate.sent(plan.bytes);
                bytes += plan.bytes;
                frames += 1;
                free = Math.max(free, now) + (plan.bytes + 500) / bytesPerSecond;
                flights.push({ bytes: plan.bytes, sentAt: now, at: free + roundTrip });
              }
              now += plan.gap / 1000;
            }
            return { bytes, frames };
          };
          return [send(10, 1_250_000, 0.1), send(8, 200_000, 0.2), send(10, 50_000, 0.3)];
        }""")
        true(sent[0]["bytes"] < 1_500_000 and sent[0]["frames"] > 145, f"good link: {sent[0]}")
        true(sent[1]["frames"] > 100, f"1.6 Mbit/s: {sent[1]}")
        true(sent[2]["bytes"] <= 400_000 and sent[2]["frames"] >= 50, f"0.4 Mbit/s: {sent[2]}")
