// The camera: opened, chosen, and its troubles named.

const remembered = "mien.camera";
const wanted = {
  facingMode: "user",
  width: { ideal: 960 },
  height: { ideal: 720 },
  frameRate: { ideal: 30 },
};

/** Why there is no picture: `refused`, `absent`, `busy`, `lost`, `unsupported`; `overtaken`: closed or changed meanwhile. */
export class CameraTrouble extends Error {
  constructor(code, cause) {
    super(code, { cause });
    this.code = code;
  }
}

/** Whether this page can use a camera at all; else the text code that says why. */
export function missingSupport() {
  if (!globalThis.isSecureContext) return "insecure";
  if (!navigator.mediaDevices?.getUserMedia || !HTMLCanvasElement.prototype.toBlob) return "unsupported";
  return null;
}

export class Camera {
  #video;
  #stream = null;
  #turn = 0; // counts what opens and closes: who comes back from waiting and finds another number has been overtaken
  #onLost = () => {};

  /** The device to open first, where somebody has already chosen; it counts more than what is remembered. */
  wished = "";

  constructor(video) {
    this.#video = video;
  }

  /** Called when the camera goes away while it is in use. */
  set onLost(action) {
    this.#onLost = action;
  }

  /** The device in use, or an empty string. */
  get deviceId() {
    return this.#stream?.getVideoTracks()[0]?.getSettings().deviceId ?? "";
  }

  get isOpen() {
    return this.#stream !== null;
  }

  /** Opens the remembered camera if it is there, else one that faces the person, and plays it. */
  async open() {
    const known = this.wished || recall();
    if (known && await this.#openKnown(known)) return;
    await this.#play(wanted);
    const mine = this.#turn;
    const best = (await this.list())[0];
    if (mine !== this.#turn) throw new CameraTrouble("overtaken");
    if (best?.deviceId && best.deviceId !== this.deviceId && isLastResort(this.#label())) {
      await this.use(best.deviceId, { remember: false });
    }
  }

  async #openKnown(deviceId) {
    try {
      // Exact: a wish among other wishes loses against a camera of a better size.
      await this.use(deviceId, { remember: false });
      return true;
    } catch (error) {
      // Gone, or held by another program: another one may be free.
      if (["absent", "busy"].includes(error.code)) return false;
      throw error;
    }
  }

  /** Changes to another camera, without ending the check. */
  async use(deviceId, { remember = true } = {}) {
    await this.#play({ ...wanted, facingMode: undefined, deviceId: { exact: deviceId } });
    if (remember) keep(deviceId);
  }

  /** The cameras, those that most people mean first. The order is a convenience and nothing else. */
  async list() {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices
      .filter((device) => device.kind === "videoinput")
      .sort((one, other) => Number(isLastResort(one.label)) - Number(isLastResort(other.label)));
  }

  close() {
    this.#turn += 1;
    stop(this.#stream);
    this.#stream = null;
    this.#video.srcObject = null;
  }

  #label() {
    return this.#stream?.getVideoTracks()[0]?.label ?? "";
  }

  async #play(video) {
    this.close();
    const mine = this.#turn;
    let stream = null;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video });
      if (mine === this.#turn) {
        this.#stream = stream;
        this.#video.srcObject = stream;
        await this.#video.play();
      }
    } catch (error) {
      if (mine === this.#turn) {
        this.close();
        throw new CameraTrouble(troubleCode(error), error);
      }
    }
    if (mine !== this.#turn) {
      stop(stream);
      throw new CameraTrouble("overtaken");
    }
    stream.getVideoTracks()[0].addEventListener("ended", () => {
      if (this.#stream === stream) this.#onLost();
    });
  }
}

function stop(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

function troubleCode(error) {
  switch (error.name) {
    case "NotAllowedError":
    case "SecurityError":
      return "refused";
    case "NotFoundError":
    case "OverconstrainedError":
      return "absent";
    default:
      return "busy";
  }
}

/** Infrared and virtual cameras stand at the end of the list; they are never refused. */
function isLastResort(label) {
  return /\b(ir|infrared|virtual|obs)\b/i.test(label);
}

function recall() {
  try {
    return localStorage.getItem(remembered);
  } catch {
    return null;
  }
}

function keep(deviceId) {
  try {
    localStorage.setItem(remembered, deviceId);
  } catch {
    // storage is switched off: the choice lasts as long as the page
  }
}
