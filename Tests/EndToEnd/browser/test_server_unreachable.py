"""Tests of an unavailable server: the check waits until it is back."""

from __future__ import annotations

import json

from browser.environment import BrowserEnvironment, begin, ending, equal, screen, true, until


def test_same_check_continues_after_an_outage(env: BrowserEnvironment) -> None:
    """An unreachable server is waited for, and the same check continues."""
    check = env.server.create("turn-left")
    answered: list[int] = []
    with env.page(env.browser(env.footage.two_halves())) as page:
        page.on("response", lambda reply: answered.append(reply.status) if reply.url.endswith("/frames") else None)
        begin(page, env.server.url + check["page"])
        page.wait_for_selector(screen("check"))
        until(page, "document.getElementById('hint-text').textContent !== ''")
        page.route("**/frames", lambda route: route.abort("connectionrefused"))
        page.wait_for_selector("#cover:not([hidden])")
        equal(page.inner_text("#instruction"), "Connection lost", "heading")
        until(page, "document.getElementById('polite').textContent.includes('isn’t responding')")
        env.shoot(page, "server-gone")
        page.unroute("**/frames")
        before = len(answered)
        page.wait_for_selector("#cover", state="hidden")
        true(len(answered) > before, "frames are answered again")
        equal(answered[-1], 200, "the same check continues")


def test_server_unreachable_at_start_is_waited_for(env: BrowserEnvironment) -> None:
    """A server that is unreachable at the start is waited for."""
    with env.page(env.browser()) as page:
        page.route("**/v1/**", lambda route: route.abort("connectionrefused"))
        begin(page, env.server.url + "/check")
        page.wait_for_selector("#cover:not([hidden])")
        page.unroute("**/v1/**")
        page.wait_for_selector("#cover", state="hidden")


def test_busy_server_is_waited_for(env: BrowserEnvironment) -> None:
    """A busy or partly unavailable server is waited for."""
    for code, status in (("busy", 503), ("unavailable", 503), ("too-many-requests", 429)):
        problem = json.dumps({"type": f"urn:mien:problem:{code}", "title": code, "status": status, "code": code})
        refuse = lambda route: route.fulfill(
            status=status, content_type="application/problem+json", headers={"Retry-After": "1"}, body=problem)
        with env.page(env.browser()) as page:
            # Before the check is created, and while it runs.
            for requests in ("**/v1/demo/checks", "**/frames"):
                page.route(requests, refuse)
                if requests == "**/v1/demo/checks":
                    begin(page, env.server.url + "/check")
                page.wait_for_selector("#cover:not([hidden])")
                equal(page.inner_text("#instruction"), "Please wait", f"heading, {code}")
                page.unroute(requests)
                page.wait_for_selector("#cover", state="hidden")


def test_check_can_restart_after_going_back(env: BrowserEnvironment) -> None:
    """After returning from another page, a check can be started again."""
    with env.page(env.browser()) as page:
        begin(page, env.server.url + "/check")
        page.wait_for_selector('body[data-screen="check"]')
        # Simulates the back/forward cache, which the driven browser does not use.
        page.evaluate("""() => {
          dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
          dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
        }""")
        page.wait_for_selector('body[data-screen="welcome"]')
        page.click("#begin")
        page.wait_for_selector('body[data-screen="check"]')


def test_frame_clock_survives_device_sleep(env: BrowserEnvironment) -> None:
    """After the device has slept, the frame clock starts with the check and does not run backward."""
    with env.page(env.browser()) as page:
        page.goto(env.server.url + "/check")
        first, second, reloaded = page.evaluate("""async () => {
          const day = Date.now;
          Date.now = () => day() + 3_600_000; // the page's clock has stood for an hour
          const { withClient, SessionClient } = await import("/assets/core/session-client.js");
          const sent = [];
          globalThis.fetch = async (_, { headers }) => {
            sent.push(Number(headers["Mien-Captured-At"]));
            return new Response("{}");
          };
          const send = (check) => new SessionClient(check).send({ picture: null, capturedAt: performance.now() });
          const check = withClient({ id: "chk_1", token: "t" });
          await send(check);
          await send(check);
          await send({ ...check, began: check.began + 3_600_000 }); // kept by a page whose clock was ahead
          return sent;
        }""")
        true(0 <= first <= second < 5000, f"one clock: {first}, {second}")
        true(0 <= reloaded < 5000, f"not before the check: {reloaded}")


def test_invalid_links_are_explained(env: BrowserEnvironment) -> None:
    """A link with a wrong token, of an unknown check, or opened twice is explained."""
    check = env.server.create("turn-left")
    browser = env.browser(env.footage.two_halves())
    with env.page(browser) as page, env.page(browser) as second:
        begin(page, f"{env.server.url}/check#id={check['id']}&token=wrong")
        true(ending(page) in ("This link does not work", "This check doesn’t exist"), page.inner_text("#ending-title"))
        env.shoot(page, "bad-link")
        begin(page, env.server.url + check["page"])
        page.wait_for_selector(screen("check"))
        until(page, "document.getElementById('hint-text').textContent !== ''")
        begin(second, env.server.url + check["page"])
        equal(ending(second), "Already open somewhere else", "heading of the second window")
        page.reload()
        page.click("#begin")
        page.wait_for_selector(screen("check"))
        until(page, "document.getElementById('hint-text').textContent !== ''")
