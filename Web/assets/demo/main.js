// Demo of the element, using only its public interface.

import { snippet } from "./snippet.js";
import { EventList } from "./event-list.js";

const check = document.getElementById("check");
const form = document.getElementById("options");
const open = document.getElementById("open");
const list = new EventList(document.getElementById("list"));

// A real page asks its own backend for a session; this server creates a demo check itself if that is enabled.
check.session = async ({ abilities, signal }) => {
  const reply = await fetch("/v1/demo/checks", {
    method: "POST", headers: { "Content-Type": "application/json" },
    body: JSON.stringify(abilities ? { abilities } : {}), signal,
  });
  if (!reply.ok) throw new Error(`no session: ${reply.status}`);
  const { id, token } = await reply.json();
  return { sessionId: id, sessionToken: token };
};

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
  document.getElementById("snippet").textContent = snippet(location.origin, {
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
  try {
    await navigator.clipboard.writeText(document.getElementById("snippet").textContent);
    copy.textContent = "Copied";
  } catch {
    copy.textContent = "Not copied";
  }
});

apply();
document.documentElement.dataset.ready = "";
