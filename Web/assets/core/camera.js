// Opens and selects cameras, and maps their errors to stable codes.

const remembered = "mien.camera";
const wanted = {
  facingMode: "user",
  width: { ideal: 960 },
  height: { ideal: 720 },
  frameRate: { ideal: 30 },
};

/**
 * Reason for a missing video stream: `refused`, `absent`, `busy`, `lost`, `unsupported`, or `leaseLost` if the camera
 * was closed or changed in the meantime.
 */
export class CameraError extends Error {
  constructor(code, cause) {
    super(code, { cause });
    this.code = code;
  }
}

/** Returns `null` if this page can use a camera, otherwise a text code for the reason. */
export function missingSupport() {
  if (!globalThis.isSecureContext) return "insecure";
  if (!navigator.mediaDevices?.getUserMedia || !HTMLCanvasElement.prototype.toBlob) return "unsupported";
  return null;
}

export class Camera {
  #video;
  #stream = null;
  #turn = 0; // incremented on open and close; a pending call that finds another value is leaseLost
  #onLost = () => {};

  /** ID of the device to open first; takes precedence over the stored one. */
  preferredId = "";

  constructor(video) {
    this.#video = video;
  }

  /** Called if the camera stops while it is in use. */
  set onLost(action) {
    this.#onLost = action;
  }

  /** ID of the device in use, or an empty string. */
  get deviceId() {
    return this.#stream?.getVideoTracks()[0]?.getSettings().deviceId ?? "";
  }

  get isOpen() {
    return this.#stream !== null;
  }

  /** Opens the preferred or stored camera if available, otherwise a front camera, and starts playback. */
  async open() {
    const known = this.preferredId || recall();
    if (known && await this.#openKnown(known)) return;
    await this.#play(wanted);
    const mine = this.#turn;
    const best = (await this.list())[0];
    if (mine !== this.#turn) throw new CameraError("leaseLost");
    if (best?.deviceId && best.deviceId !== this.deviceId && isLastResort(this.#label())) {
      await this.use(best.deviceId, { remember: false });
    }
  }

  async #openKnown(deviceId) {
    try {
      // Exact constraint: an ideal one can lose to a camera whose resolution fits better.
      await this.use(deviceId, { remember: false });
      return true;
    } catch (error) {
      // Missing, or used by another program: another camera may be available.
      if (["absent", "busy"].includes(error.code)) return false;
      throw error;
    }
  }

  /** Switches to another camera without ending the check. */
  async use(deviceId, { remember = true } = {}) {
    await this.#play({ ...wanted, facingMode: undefined, deviceId: { exact: deviceId } });
    if (remember) keep(deviceId);
  }

  /** Lists the cameras, the most likely choices first. The order is only a convenience. */
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
        throw new CameraError(errorCode(error), error);
      }
    }
    if (mine !== this.#turn) {
      stop(stream);
      throw new CameraError("leaseLost");
    }
    stream.getVideoTracks()[0].addEventListener("ended", () => {
      if (this.#stream === stream) this.#onLost();
    });
  }
}

function stop(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

function errorCode(error) {
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

/** Reports whether the label suggests an infrared or virtual camera. Those are listed last but never rejected. */
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
    // Storage is disabled: the choice lasts until the page is closed.
  }
}
