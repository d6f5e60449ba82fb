// Types of `<mien-liveness>`. The attributes, events and their meaning are documented in Web/README.md.

/** A session of the integrator's backend: what `POST /v1/checks` returned as `id` and `token`. */
export interface Session {
  sessionId: string;
  sessionToken: string;
}

export type Ability = "neck" | "eyelids" | "mouth" | "sight";

export type TaskKind = "head-turn" | "complete-the-circle" | "yes-or-no" | "motions" | "blink" | "head-path" | "light";

export interface Question {
  question: string;
  answer: boolean;
  errorMessage?: string;
}

export interface TaskOptions {
  kind: TaskKind;
  difficulty?: "easy" | "medium" | "hard";
  /** In milliseconds. */
  timeout?: number;
  maxNods?: number;
  maxBlinks?: number;
  questions?: Question[];
}

export interface User {
  firstName?: string;
  lastName?: string;
  email?: string;
}

export interface Branding {
  name?: string;
  /** Such as `#1d4ed8`. */
  color?: string;
  logo?: string;
  logoAlt?: string;
  hideLogoOnMobile?: boolean;
  showPoweredBy?: boolean;
  poweredByText?: string;
  poweredByLogo?: string;
}

/** What the `session` function receives to pass on to the backend. */
export interface SessionRequest {
  tasks: TaskOptions[] | null;
  abilities: Ability[] | null;
  user: User;
  publicKey: string;
  sandboxEnvironment: boolean;
  metadata: unknown;
  language: string;
  /** Aborted if the person leaves the check. */
  signal: AbortSignal;
}

export type SessionFunction = (request: SessionRequest) => Promise<Session> | Session;

export type ErrorKey =
  | "invalid_or_expired_session"
  | "session_token_error"
  | "eyes_closed"
  | "image_capture_failed"
  | "API_ERROR"
  | "task_failed";

/** Detail of `success` and `failure`. For display only: the backend asks the server whether the person passed. */
export interface Outcome {
  sessionId: string | null;
  passed: boolean;
  state: string;
  reason: string | null;
  /** A JPEG as `data:` URL. */
  faceImage: string | null;
  livenessClip: null;
  metadata: unknown;
}

export interface Failure extends Outcome {
  error: { key: ErrorKey; message: string };
}

/** Detail of `progress`: a step of the check. */
export interface Progress {
  state: string;
  instruction: string;
  side: "subject-left" | "subject-right" | null;
  progress: number;
  hints: string[];
  task: { kind: string; index: number; count: number; prompt: Record<string, unknown> } | null;
  remainingMs: number;
}

export interface Closed {
  sessionId: string | null;
}

export interface MienLivenessEventMap {
  success: CustomEvent<Outcome>;
  failure: CustomEvent<Failure>;
  close: CustomEvent<Closed>;
  progress: CustomEvent<Progress>;
}

/** Attributes of the element; flags are present or absent, and `"false"` counts as absent. */
export interface MienLivenessAttributes {
  "session-id"?: string;
  "session-token"?: string;
  /** JSON. */
  tasks?: string;
  /** Words separated by spaces. */
  abilities?: string;
  "user-first-name"?: string;
  "user-last-name"?: string;
  "user-email"?: string;
  "brand-name"?: string;
  "brand-color"?: string;
  "brand-logo"?: string;
  "brand-logo-alt"?: string;
  "hide-logo-on-mobile"?: boolean | "";
  "show-powered-by"?: boolean | "";
  "powered-by-text"?: string;
  "powered-by-logo"?: string;
  "allow-audio"?: boolean | "";
  "public-key"?: string;
  "sandbox-environment"?: string;
  /** JSON. */
  metadata?: string;
  lang?: string;
  "fixed-language"?: boolean | "";
  modal?: boolean | "";
  "skip-welcome"?: boolean | "";
  scheme?: "light" | "dark";
  "camera-id"?: string;
  "no-vibration"?: boolean | "";
  server?: string;
}

export class MienLiveness extends HTMLElement {
  static observedAttributes: string[];

  /** Requests a session from the integrator's backend for every attempt. */
  session: SessionFunction | null;
  sessionId: string;
  /** Set as a property, it leaves no trace in the document. */
  sessionToken: string;
  /** Names of tasks are accepted as well; reading returns their options. */
  get tasks(): TaskOptions[] | null;
  set tasks(tasks: Array<TaskKind | TaskOptions> | null);
  /** `null` for all of them. */
  abilities: Ability[] | null;
  user: User;
  branding: Branding;
  publicKey: string;
  sandboxEnvironment: boolean;
  /** Passed to the session function and returned with the outcome. */
  metadata: unknown;
  language: string;
  allowAudio: boolean;
  modal: boolean;
  cameraId: string;
  /** Address of the Mien server; by default, the origin that this module was loaded from. */
  server: string;

  onSuccess: ((outcome: Outcome) => void) | null;
  onFailure: ((failure: Failure) => void) | null;
  onClose: ((closed: Closed) => void) | null;
  onProgress: ((progress: Progress) => void) | null;

  readonly isOpen: boolean;
  /** Shows the check; in a dialog of its own if `modal` is set. */
  open(options?: { focus?: boolean }): Promise<void>;
  /** Ends the check and hides it. The camera is off when this returns. */
  close(): void;

  connectedCallback(): void;
  disconnectedCallback(): void;
  attributeChangedCallback(name: string, before: string | null, now: string | null): void;

  addEventListener<K extends keyof MienLivenessEventMap>(
    type: K,
    listener: (this: MienLiveness, event: MienLivenessEventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof MienLivenessEventMap>(
    type: K,
    listener: (this: MienLiveness, event: MienLivenessEventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | EventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "mien-liveness": MienLiveness;
  }
}
