// The badge that says whether this server can run checks right now.

const interval = 15_000;
const patience = 5_000;

export function watchStatus(badge, words, texts) {
  const look = async () => {
    if (document.visibilityState === "visible") show(badge, words, texts, await readiness());
    setTimeout(look, interval);
  };
  look();
}

async function readiness() {
  try {
    const reply = await fetch("/health/ready", { cache: "no-store", signal: AbortSignal.timeout(patience) });
    const body = await reply.json();
    if (reply.ok) return { status: "ready", what: "" };
    return { status: "not-ready", what: (body.obstacles ?? []).map((obstacle) => obstacle.what).join("; ") };
  } catch {
    return { status: "unreachable", what: "" };
  }
}

function show(badge, words, texts, { status, what }) {
  const sentence = texts.text(what ? "home.status.not-ready-because" : `home.status.${status}`, { what });
  if (words.textContent === sentence && badge.dataset.status === status) return;
  badge.dataset.status = status;
  words.textContent = sentence;
}
