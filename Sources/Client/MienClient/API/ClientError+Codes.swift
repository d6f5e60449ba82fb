extension ClientError.Code {
  // Of this side.

  /// No reply: the server or the way to it is gone.
  public static let unreachable = Self(text: "unreachable")
  /// A reply that is not of this API.
  public static let unreadable = Self(text: "unreadable")

  // Of the server, as `Problem` in Web/openapi.json lists them.

  public static let unauthorized = Self(text: "unauthorised")
  public static let forbidden = Self(text: "forbidden")
  public static let tokenExpired = Self(text: "token-expired")
  public static let demoOff = Self(text: "demo-off")
  public static let notFound = Self(text: "not-found")
  public static let checkOver = Self(text: "check-over")
  public static let frameInFlight = Self(text: "frame-in-flight")
  public static let secondClient = Self(text: "second-client")
  public static let mixedSources = Self(text: "mixed-sources")
  /// The server does not allow checks on this source, or the check was created without it.
  public static let sourceNotAllowed = Self(text: "source-not-allowed")
  /// The check was created without a scan.
  public static let scanNotAllowed = Self(text: "scan-not-allowed")
  public static let bodyTooLarge = Self(text: "body-too-large")
  public static let unsupportedMediaType = Self(text: "unsupported-media-type")
  public static let badJSON = Self(text: "bad-json")
  public static let unknownKey = Self(text: "unknown-key")
  public static let badValue = Self(text: "bad-value")
  public static let notAImage = Self(text: "not-a-picture")
  public static let imageTooLarge = Self(text: "picture-too-large")
  public static let frameReplayed = Self(text: "frame-replayed")
  public static let timestampOutOfRange = Self(text: "timestamp-out-of-range")
  public static let outOfOrder = Self(text: "out-of-order")
  public static let notAssessed = Self(text: "not-assessed")
  public static let modelUnavailable = Self(text: "model-unavailable")
  public static let busy = Self(text: "busy")
  public static let unavailable = Self(text: "unavailable")
  public static let lockedOut = Self(text: "locked-out")
  public static let tooManyRequests = Self(text: "too-many-requests")
  public static let messageLocked = Self(text: "message-locked")
  public static let messageGone = Self(text: "message-gone")
  /// A device of this name is registered with another key.
  public static let deviceTaken = Self(text: "device-taken")
  public static let attestationOff = Self(text: "attestation-off")
  public static let attestationRefused = Self(text: "attestation-refused")
  /// The form cannot be read.
  public static let badForm = Self(text: "bad-form")
  /// The scan is in a state in which this cannot be done.
  public static let wrongState = Self(text: "wrong-state")
  /// Files of the scan have not come whole.
  public static let notWhole = Self(text: "not-whole")
  /// The upload is at another offset.
  public static let offsetMismatch = Self(text: "offset-mismatch")
  /// The bytes are not those of the checksum.
  public static let checksumMismatch = Self(text: "checksum-mismatch")
  /// Another request brings bytes for this upload just now.
  public static let uploadBusy = Self(text: "upload-busy")
  /// A version of tus that the server does not speak.
  public static let unsupportedVersion = Self(text: "unsupported-version")
  public static let methodNotAllowed = Self(text: "method-not-allowed")
  /// The request is none that HTTP allows, or its body broke off.
  public static let badRequest = Self(text: "bad-request")
  /// The body came too slowly.
  public static let bodyTooSlow = Self(text: "body-too-slow")
  /// The storage that the key or the check may use is used up.
  public static let storageQuota = Self(text: "storage-quota")
  public static let internalError = Self(text: "internal-error")

  /// All codes of the server that this version knows.
  public static let ofServer: [Self] = [
    .unauthorized, .forbidden, .tokenExpired, .demoOff, .notFound, .checkOver, .frameInFlight, .secondClient,
    .mixedSources, .sourceNotAllowed, .scanNotAllowed, .bodyTooLarge, .unsupportedMediaType, .badJSON, .unknownKey,
    .badValue, .notAImage,
    .imageTooLarge, .frameReplayed, .timestampOutOfRange, .outOfOrder, .notAssessed, .modelUnavailable, .busy,
    .unavailable, .lockedOut, .tooManyRequests, .messageLocked, .messageGone, .deviceTaken,
    .attestationOff, .attestationRefused,
    .badRequest, .badForm, .wrongState, .notWhole, .offsetMismatch, .checksumMismatch, .uploadBusy, .unsupportedVersion,
    .methodNotAllowed, .bodyTooSlow, .storageQuota, .internalError,
  ]

  /// Problems of one frame; the next one may be fine.
  var isPassing: Bool {
    [.frameInFlight, .frameReplayed, .outOfOrder, .timestampOutOfRange, .notAImage].contains(self)
  }
}
