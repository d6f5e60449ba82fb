// Account of the signed-in user, the sign-in form, and the sign-out button.

import { html } from "../core/dom.js";

const timeoutMilliseconds = 15_000;
let account = null; // { name, role, csrf_token }
let canSignIn = false;
let place = null;

/** Returns the CSRF header to send along with the cookie; empty if no user is signed in. */
export function csrfHeaders() {
  return account ? { "X-CSRF-Token": account.csrf_token } : {};
}

/** Returns the `credentials` mode for `fetch`: the cookie is sent only if a user is signed in. */
export function credentialsMode() {
  return account ? "same-origin" : "omit";
}

/** Reports whether the signed-in user has read-only access. */
export function isReadOnly() {
  return account?.role === "verifier";
}

/** Reports whether this server has accounts that can sign in. */
export function hasAccounts() {
  return canSignIn;
}

/** Loads the signed-in account and shows it in the page's header. */
export async function showAccount(texts) {
  place = document.querySelector("[data-account]");
  try {
    const reply = await ask("GET", "/v1/account");
    const who = reply.ok ? await reply.json() : {};
    account = who.account ?? null;
    canSignIn = who.can_sign_in === true;
  } catch {
    account = null; // a later request reports the unreachable server
  }
  draw(texts);
}

/** Builds a form that signs in and then calls `then`. */
export function signInForm(texts, then) {
  const name = html("input", { type: "text", name: "name", autocomplete: "username", autocapitalize: "none", spellcheck: "false", maxlength: 64, required: true });
  const password = html("input", { type: "password", name: "password", autocomplete: "current-password", maxlength: 256, required: true });
  const wrong = html("p", { class: "wrong", role: "alert" });
  const go = html("button", { class: "button", type: "submit" }, texts.text("account.sign-in"));
  const form = html("form", { class: "sign-in" }, field(texts.text("account.name"), name),
    field(texts.text("account.password"), password), wrong, html("div", { class: "choices" }, go));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    wrong.textContent = "";
    go.disabled = true;
    try {
      const reply = await ask("POST", "/v1/sign-in", { name: name.value.trim(), password: password.value });
      if (reply.ok) {
        account = await reply.json();
        draw(texts);
        then();
        return;
      }
      wrong.textContent = refusal(reply, texts);
    } catch {
      wrong.textContent = texts.text("account.lost");
    } finally {
      go.disabled = false;
    }
    password.value = "";
    password.focus();
  });
  return form;
}

function refusal(reply, texts) {
  if (reply.status === 429 || reply.status === 503) {
    const seconds = Number(reply.headers.get("Retry-After"));
    return texts.text("account.later", { seconds: seconds > 0 ? seconds : 1 });
  }
  return texts.text(reply.status === 403 ? "account.insecure" : "account.wrong");
}

function draw(texts) {
  if (!place) return;
  if (account) {
    const out = html("button", { class: "plain", type: "button", id: "sign-out" }, texts.text("account.sign-out"));
    out.addEventListener("click", async () => {
      await ask("POST", "/v1/sign-out").catch(() => null);
      location.reload();
    });
    // The name is placed where the language puts it in the sentence, with its own text direction.
    const [before, after] = texts.text("account.as", { name: "\u0000" }).split("\u0000");
    place.replaceChildren(html("span", { id: "signed-in" }, before, html("bdi", {}, account.name), after ?? ""),
      ...(location.pathname === "/console" ? [] : [html("a", { class: "plain", href: "/console" }, texts.text("console.title"))]), out);
  } else if (canSignIn) {
    const open = html("button", { class: "plain", type: "button", id: "sign-in" }, texts.text("account.sign-in"));
    open.addEventListener("click", () => dialog(texts));
    place.replaceChildren(open);
  } else {
    place.replaceChildren();
  }
}

function dialog(texts) {
  const form = signInForm(texts, () => location.reload());
  const no = html("button", { class: "button quiet", type: "button" }, texts.text("account.cancel"));
  form.querySelector(".choices").prepend(no);
  const shown = html("dialog", { class: "sign-in-dialog", "aria-labelledby": "sign-in-title" },
    html("h2", { id: "sign-in-title" }, texts.text("account.sign-in")), form);
  no.addEventListener("click", () => shown.close());
  shown.addEventListener("close", () => shown.remove());
  document.body.append(shown);
  shown.showModal();
  form.querySelector("input").focus();
}

function field(words, input) {
  input.id = `account-${input.name}-${Math.random().toString(36).slice(2)}`;
  return html("p", { class: "text-field" }, html("label", { for: input.id }, words), input);
}

function ask(method, path, body = null) {
  return fetch(path, {
    method, headers: { ...(method === "POST" ? csrfHeaders() : {}), ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body && JSON.stringify(body), cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(timeoutMilliseconds),
  });
}
