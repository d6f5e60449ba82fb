// Demonstration of the element through its public interface only.

import { html } from "../core/dom.js";
import { EventList } from "./event-list.js";
import { snippet } from "./snippet.js";

/** Connects the options of the page with its element, and shows the code for them. */
export function showElement(texts) {
  const check = html("mien-liveness", { id: "check", lang: texts.language });
  const form = document.getElementById("options");
  const open = document.getElementById("open");
  const code = document.getElementById("snippet");
  const list = new EventList(document.getElementById("list"));

  // A real page asks its own backend for a session; this server creates a demo check itself if that is enabled.
  check.session = createSession;
  for (const name of ["progress", "success", "failure", "close"]) {
    check.addEventListener(name, ({ detail }) => list.add(name, detail));
  }

  function apply() {
    const { name, color, firstName, shown, allowAudio, showPoweredBy } = form.elements;
    check.branding = { name: name.value, color: color.value, showPoweredBy: showPoweredBy.checked };
    check.user = { firstName: firstName.value };
    check.allowAudio = allowAudio.checked;
    const modal = shown.value === "modal";
    if (check.modal !== modal) {
      check.close?.();
      check.modal = modal;
      if (!modal) check.open?.({ focus: false });
    }
    open.hidden = !modal;
    code.textContent = snippet(location.origin, {
      brandName: name.value, brandColor: color.value, firstName: firstName.value, modal,
      allowAudio: allowAudio.checked, showPoweredBy: showPoweredBy.checked,
    });
  }

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  open.addEventListener("click", () => check.open());
  const copy = document.getElementById("copy");
  copy.hidden = !navigator.clipboard; // needs a secure context
  copy.addEventListener("click", async () => {
    const key = await navigator.clipboard.writeText(code.textContent).then(() => "home.copied", () => "home.copy-failed");
    copy.textContent = texts.text(key);
  });
  apply();
  document.getElementById("place").append(check);
}

async function createSession({ abilities, signal }) {
  const reply = await fetch("/v1/demo/checks", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify(abilities ? { abilities } : {}), signal,
  });
  if (!reply.ok) throw new Error(`no session: ${reply.status}`);
  const { id, token } = await reply.json();
  return { sessionId: id, sessionToken: token };
}
