// Badge that shows whether this server can run checks right now.

const interval = 15_000;
const timeoutMilliseconds = 5_000;
const statuses = ["ready", "degraded", "not-ready"];
// Codes with their own texts; for all others, the server's description is shown, such as the name of a missing model
// file.
const outside = ["database-unavailable", "database-full", "object-store-unavailable", "data-directory-unavailable"];

export function watchStatus(badge, words, texts) {
  const look = async () => {
    if (document.visibilityState === "visible") show(badge, words, texts, await readiness());
    setTimeout(look, interval);
  };
  look();
}

async function readiness() {
  try {
    const reply = await fetch("/health/ready", { cache: "no-store", signal: AbortSignal.timeout(timeoutMilliseconds) });
    const { status, failures } = await reply.json();
    if (statuses.includes(status)) return { status, failures };
  } catch {
    // A reverse proxy without its server returns another page, or nothing.
  }
  return { status: "unreachable", failures: [] };
}

function show(badge, words, texts, { status, failures }) {
  const what = failures
    .map(({ code, detail }) => (outside.includes(code) ? texts.text(`home.status.${code}`) : detail))
    .join("; ");
  const sentence = texts.text(what ? `home.status.${status}-because` : `home.status.${status}`, { what });
  if (words.textContent === sentence && badge.dataset.status === status) return;
  badge.dataset.status = status;
  words.textContent = sentence;
}
