"""Tests of sign-in: accounts, session cookies, CSRF tokens and the permissions of each role."""

import re
import subprocess

import pytest

from support.replies import DOCUMENT, conforms, expect
from support.serving import serving, wait

pytestmark = pytest.mark.without_models
PASSWORD = "correct horse battery"
WRONG = {"name": "anna", "password": "wrong horse battery"}
# Operations that require a key in the API document and that a verifier may call; operators may call all of them.
VERIFIER = {
    ("get", path) for path in (
        "/v1/checks", "/v1/captures", "/v1/checks/{id}", "/v1/checks/{id}/images/{index}", "/v1/checks/{id}/clip", "/v1/scans", "/v1/scans/{id}",
        "/v1/scans/{id}/files/{name}", "/v1/scans/{id}/results/{name}", "/v1/scans/{id}/depth/{frame}.png",
        "/v1/scans/{id}/export", "/v1/subjects", "/v1/subjects/{id}", "/v1/subjects/{id}/export", "/v1/people/{person}/template")
} | {("head", "/v1/uploads/{id}")}
# Operations that need no credentials; only rate limits apply.
WITHOUT_CREDENTIALS = {("post", "/v1/verify-file")}


def users(server, *arguments, password=None, status=0):
    ended = subprocess.run(
        [server.binary, "users", *arguments, "--data", server.data], capture_output=True, text=True, timeout=300,
        input=password, env=server.environment)
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


class Browser:
    """A signed-in user's browser: sends the session cookie and the CSRF token."""

    def __init__(self, server, name, password=PASSWORD, **more):
        self.server = server
        reply = expect(server.request("POST", "/v1/sign-in", {"name": name, "password": password, **more}), 200)
        conforms("Account", reply.json)
        self.cookie = reply.headers["set-cookie"]
        self.token = reply.json["csrf_token"]

    def request(self, method, path, body=None, csrf=True, **headers):
        headers = {"Cookie": self.cookie.split(";")[0], **{name.replace("_", "-"): text for name, text in headers.items()}}
        if csrf:
            headers["X-CSRF-Token"] = self.token if csrf is True else csrf
        return self.server.request(method, path, body, headers)

    def account(self):
        return check_account(self.request("GET", "/v1/account", csrf=False)).get("account")


def cookie_parts(cookie):
    """Returns the name with the value, and the attributes in alphabetical order, since their order is arbitrary."""
    value, *attributes = cookie.split("; ")
    return value, sorted(attributes)


def check_account(reply):
    conforms("CurrentAccount", expect(reply, 200).json)
    return reply.json


def test_commands_manage_accounts_and_take_no_passwords_as_arguments(server):
    with serving(server) as own:
        assert check_account(own.request("GET", "/v1/account")) == {"can_sign_in": False}
        users(own, "add", "Anna", "--role", "verifier", password=PASSWORD + "\n")
        assert "already" in users(own, "add", "anna", "--role", "operator", password=PASSWORD, status=2)
        assert "12 to 256" in users(own, "add", "bert", "--role", "operator", password="short\n", status=2)
        users(own, "add", "bert", "--role", "root", password=PASSWORD, status=64)
        assert re.fullmatch(r"anna  verifier  password since \S+\n", users(own, "list"))
        assert check_account(own.request("GET", "/v1/account")) == {"can_sign_in": True}
        anna = Browser(own, "ANNA")
        value, attributes = cookie_parts(anna.cookie)
        assert re.fullmatch(r"mien=mien_session_[\w-]{43}", value) and attributes == ["HttpOnly", "Path=/", "SameSite=Strict"], anna.cookie
        found = anna.account()
        assert (found["name"], found["role"], found["realm"]) == ("anna", "verifier", "live"), found
        secret = anna.cookie.split("=")[1].split(";")[0]
        expect(own.request("GET", "/v1/scans", token=secret), 401, "unauthorized")

        users(own, "password", "anna", password="another long password\n")
        wait("the end of the old session", lambda: anna.account() is None, 10)
        expect(own.request("POST", "/v1/sign-in", {"name": "anna", "password": PASSWORD}), 401, "unauthorized")
        again, other = Browser(own, "anna", "another long password"), Browser(own, "anna", "another long password")
        reply = expect(again.request("POST", "/v1/sign-out"), 204)
        assert cookie_parts(reply.headers["set-cookie"]) == ("mien=", ["HttpOnly", "Max-Age=0", "Path=/", "SameSite=Strict"])
        assert again.account() is None and other.account() is not None
        users(own, "remove", "anna")
        wait("the end of an account that is gone", lambda: other.account() is None, 10)
        assert "no user anna" in users(own, "remove", "anna", status=2)
        reported = [(one["actor"], one["action"], one["subject"])
                for one in own.request("GET", "/v1/audit", token=own.key).json["entries"]]
        assert reported == [
            ("command-line", "created-user", "user/anna/verifier"), ("command-line", "created-user", "user/anna/operator"),
            ("user/anna", "signed-in", "user/anna"), ("command-line", "changed-password", "user/anna"),
            ("anyone", "failed-sign-in", "user/anna"), ("user/anna", "signed-in", "user/anna"),
            ("user/anna", "signed-in", "user/anna"), ("user/anna", "signed-out", "user/anna"),
            ("command-line", "deleted-user", "user/anna"),
        ], reported
        for line in own.lines:
            assert PASSWORD not in line and secret not in line


def test_cookies_need_the_csrf_token_of_their_session_for_changes(server):
    with serving(server, "--no-demo") as own:
        users(own, "add", "anna", "--role", "operator", password=PASSWORD)
        users(own, "add", "bert", "--role", "operator", password=PASSWORD)
        anna, bert = Browser(own, "anna"), Browser(own, "bert")
        host = f"127.0.0.1:{own.port}"
        made = expect(anna.request("POST", "/v1/checks", {}, Origin=f"http://{host}", Sec_Fetch_Site="same-origin"), 201)
        place = f"/v1/checks/{made.json['id']}"
        for refused in (
            {"csrf": False}, {"csrf": bert.token}, {"csrf": anna.token[:-1]}, {"csrf": "", "Origin": f"http://{host}"},
            {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": f"http://{host}.evil.example"},
            {"Origin": f"http://evil.example/{host}"}, {"Origin": f"ftp://{host}"}, {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"}, {"Sec_Fetch_Site": "none"},
        ):
            expect(anna.request("DELETE", place, **refused), 403, "forbidden")
        expect(anna.request("GET", place, csrf=False), 200)
        expect(anna.request("POST", "/v1/sign-out", csrf=False), 403, "forbidden")
        expect(anna.request("POST", "/v1/sign-out", csrf=bert.token), 403, "forbidden")
        foreign = own.request("POST", "/v1/sign-out", None, {"Origin": "https://evil.example"})
        assert "set-cookie" not in expect(foreign, 403, "forbidden").headers, "a foreign page takes the cookie away"
        assert anna.account() is not None
        # Any other credential in the request takes precedence over the cookie; API keys need no CSRF token.
        expect(anna.request("DELETE", place, csrf=False, Authorization="Bearer mien_wrong"), 401)
        expect(anna.request("DELETE", place, csrf=False, Authorization="Bearer " + own.key), 204)
        for body, kind in (({"name": "anna", "password": PASSWORD}, "text/plain"), ({"name": "anna"}, "application/json")):
            reply = own.request("POST", "/v1/sign-in", str(body).replace("'", '"').encode(), {"Content-Type": kind})
            assert reply.status in (400, 415), reply
        for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
            expect(own.request("POST", "/v1/sign-in", {"name": "anna", "password": PASSWORD}, headers), 403, "forbidden")
        # Behind a TLS proxy the cookie is marked Secure; a request that arrived over plain HTTP is refused.
        front = {"X-Forwarded-For": "198.51.100.7", "Host": "mien.example"}
        entry = {"name": "anna", "password": PASSWORD}
        expect(own.request("POST", "/v1/sign-in", entry, front), 403, "forbidden")
        reply = expect(own.request("POST", "/v1/sign-in", entry, {**front, "Origin": "https://mien.example"}), 200)
        cookie = reply.headers["set-cookie"]
        value, attributes = cookie_parts(cookie)
        assert re.fullmatch(r"__Host-mien=mien_session_[\w-]{43}", value), cookie
        assert attributes == ["HttpOnly", "Path=/", "SameSite=Strict", "Secure"], cookie
        secret = cookie.split("=")[1].split(";")[0]
        for name, isKnown in (("__Host-mien", True), ("mien", False), ("__host-mien", False)):
            found = own.request("GET", "/v1/account", headers={**front, "Cookie": f"{name}={secret}"}).json
            assert ("account" in found) == isKnown, (name, found)
        for cookie in ("mien=", "mien", "mien=x; mien=y", "mien=" + "a" * 5000, ";;;", "mien=mien_session_" + "A" * 43):
            assert "account" not in check_account(own.request("GET", "/v1/account", headers={"Cookie": cookie}))
            expect(own.request("GET", "/v1/scans", headers={"Cookie": cookie}), 401, "unauthorized")


def refused(reply):
    """Reports whether the caller was refused rather than the request: a server without app attestation also answers 403."""
    return reply.status == 401 or reply.status == 403 and reply.code == "forbidden"


def test_operators_may_call_every_operation_and_verifiers_few(server):
    # A server without enrollment also answers 403.
    with serving(server, "--no-demo", "--templates") as own:
        users(own, "add", "anna", "--role", "operator", password=PASSWORD)
        users(own, "add", "vera", "--role", "verifier", password=PASSWORD)
        anna, vera = Browser(own, "anna"), Browser(own, "vera")
        asked = 0
        for path, methods in DOCUMENT["paths"].items():
            for method, operation in methods.items():
                if method == "parameters" or {"apiKey": []} not in operation.get("security", []) or path.startswith("/v2"):
                    continue
                if path == "/v1/events":
                    continue  # A stream that ends after a minute; test_events.py has its own tests.
                place = re.sub(r"\{\w+\}", "nobody", path)
                expected = (method, path) in VERIFIER | WITHOUT_CREDENTIALS
                reported = {name: browser.request(method.upper(), place) for name, browser in (("anna", anna), ("vera", vera))}
                assert not refused(reported["anna"]), (method, path, reported)
                assert refused(reported["vera"]) != expected, (method, path, reported)
                asked += 1
        assert asked > 40, asked
        for path in ("/v1/keys", "/v1/audit", "/v1/webhooks", "/v1/checks/nobody/token"):
            expect(vera.request("GET", path), 403, "forbidden")
        # Signed-in users can read everything that is public.
        for path in ("/", "/scans", "/metrics", "/health/live", "/v1/error-rates", "/openapi.json"):
            expect(vera.request("GET", path), 200)
        message = expect(anna.request("POST", "/v1/messages", {"text": "x", "steps": ["smile", "wink_r", "smooch"]}), 201).json
        expect(vera.request("GET", message["gif"], csrf=False), 200)
        expect(vera.request("POST", f"/v1/messages/{message['id']}/unlock", {}, csrf=False), 201)
        key = expect(anna.request("POST", "/v1/keys", {"scopes": ["read"]}), 201).json
        reported = own.request("GET", "/v1/audit", token=own.key).json["entries"]
        assert (reported[-1]["actor"], reported[-1]["action"], reported[-1]["subject"]) == ("user/anna", "created-key", key["id"])


def test_users_of_one_realm_have_no_access_to_the_other(server):
    with serving(server, "--no-demo") as own:
        users(own, "add", "anna", "--role", "operator", "--sandbox", password=PASSWORD)
        expect(own.request("POST", "/v1/sign-in", {"name": "anna", "password": PASSWORD}), 401, "unauthorized")
        anna = Browser(own, "anna", sandbox=True)
        assert anna.account()["realm"] == "sandbox"
        live = own.create()
        expect(anna.request("GET", f"/v1/checks/{live.id}"), 404, "not-found")
        made = expect(anna.request("POST", "/v1/checks", {}), 201).json
        assert made["id"].startswith("chktest_"), made
        expect(own.request("GET", f"/v1/checks/{made['id']}", token=own.key), 404, "not-found")


def attempts_until_limit(server, name, headers):
    """Sends wrong passwords until the server answers 429; returns the number of attempts, their processor time, and the last reply."""
    began = server.processor_seconds()
    for count in range(60):
        reply = server.request("POST", "/v1/sign-in", {**WRONG, "name": name(count)}, headers)
        if reply.status == 429:
            return count, server.processor_seconds() - began, expect(reply, 429, "too-many-requests")
        expect(reply, 401, "unauthorized")
        assert reply.json["detail"] == "The name or the password is wrong.", reply
    raise AssertionError("no attempt was answered with 429")


def test_sign_in_limits_guesses_and_reveals_no_names(server):
    with serving(server) as own:
        users(own, "add", "anna", "--role", "operator", password=PASSWORD)
        front = {"X-Forwarded-For": "198.51.100.7", "Host": "mien.example", "Origin": "https://mien.example"}
        count, _, _ = attempts_until_limit(own, lambda number: f"user{number}", front)
        assert 20 <= count < 40, count
        took = {}
        for name in ("anna", "nobody"):
            count, seconds, reply = attempts_until_limit(own, lambda _: name, {})
            # One attempt a minute becomes available again. An unknown name may share its count with one of those above.
            assert 9 <= count < 20, count
            assert 1 <= int(reply.headers["retry-after"]) <= 60, reply.headers
            took[name] = seconds / count
        # The server does the same work for unknown names.
        assert min(took.values()) > max(took.values()) / 2, took
        other = {**front, "X-Forwarded-For": "198.51.100.8"}
        expect(own.request("POST", "/v1/sign-in", {**WRONG, "name": "other"}, other), 401, "unauthorized")
