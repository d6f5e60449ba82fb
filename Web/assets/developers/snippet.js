// HTML snippet for the chosen options.

export function snippet(server, { brandName, brandColor, firstName, modal, allowAudio, showPoweredBy }) {
  const attributes = [
    'id="check"',
    brandName && `brand-name="${escape(brandName)}"`,
    `brand-color="${brandColor}"`,
    firstName && `user-first-name="${escape(firstName)}"`,
    modal && "modal",
    allowAudio && "allow-audio",
    showPoweredBy && "show-powered-by",
  ].filter(Boolean);
  return `<script type="module" src="${server}/liveness.js"></script>

<mien-liveness
  ${attributes.join("\n  ")}></mien-liveness>

<script type="module">
  const check = document.getElementById("check");
  // Your backend: POST ${server}/v1/checks with its API key.
  check.session = async ({ abilities }) => {
    const reply = await fetch("/my-backend/liveness", { method: "POST", body: JSON.stringify({ abilities }) });
    return reply.json(); // { "sessionId": "…", "sessionToken": "…" }
  };
  check.addEventListener("success", () => location.assign("/next"));
  check.addEventListener("failure", ({ detail }) => console.log(detail.error.key));${modal ? opening : ""}
</script>`;
}

const opening = `
  await customElements.whenDefined("mien-liveness");
  check.open(); // from a press of a button`;

function escape(text) {
  return text.replace(/[&"<]/g, (character) => ({ "&": "&amp;", '"': "&quot;", "<": "&lt;" })[character]);
}
