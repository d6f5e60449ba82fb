// <mien-liveness>: a liveness check inside somebody else's page.
//
//   <script type="module" src="(this file)"></script>
//   <mien-liveness session-id="…" session-token="…"></mien-liveness>
//
// Everything else is fetched from where this file came from. See Web/README.md for attributes, events and policies.

import { MienLiveness } from "./assets/element/mien-liveness.js";

if (!customElements.get("mien-liveness")) customElements.define("mien-liveness", MienLiveness);

export { MienLiveness };
