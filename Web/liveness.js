// <mien-liveness>: a liveness check embedded in another page.
//
//   <script type="module" src="(this file)"></script>
//   <mien-liveness session-id="…" session-token="…"></mien-liveness>
//
// Everything else is loaded from the origin of this file. See Web/README.md for attributes, events and policies.

import { MienLiveness } from "./assets/element/mien-liveness.js";

if (!customElements.get("mien-liveness")) customElements.define("mien-liveness", MienLiveness);

export { MienLiveness };
