extension ClientError.Code {
  // Client-side codes.

  /// No response: the server cannot be reached.
  public static let unreachable = Self(text: "unreachable")
  /// A response that does not follow this API.
  public static let unreadable = Self(text: "unreadable")

  // Server-side codes, as `Problem` in Web/openapi.json lists them.

  public static let unauthorized = Self(text: "unauthorized")
  public static let forbidden = Self(text: "forbidden")
  public static let tokenExpired = Self(text: "token-expired")
  public static let demoDisabled = Self(text: "demo-disabled")
  public static let notFound = Self(text: "not-found")
  public static let checkEnded = Self(text: "check-ended")
  public static let frameInFlight = Self(text: "frame-in-flight")
  /// More frames are under way than the server allows.
  public static let tooManyFrames = Self(text: "too-many-frames")
  public static let secondClient = Self(text: "second-client")
  public static let mixedSources = Self(text: "mixed-sources")
  /// The server does not allow checks on this source, or the check was created without it.
  public static let sourceNotAllowed = Self(text: "source-not-allowed")
  /// The check was created without a scan.
  public static let scanNotAllowed = Self(text: "scan-not-allowed")
  /// The check was created without captures.
  public static let captureNotAllowed = Self(text: "capture-not-allowed")
  public static let bodyTooLarge = Self(text: "body-too-large")
  public static let unsupportedMediaType = Self(text: "unsupported-media-type")
  public static let badJSON = Self(text: "bad-json")
  public static let unknownKey = Self(text: "unknown-key")
  public static let badValue = Self(text: "bad-value")
  public static let notAImage = Self(text: "not-an-image")
  public static let imageTooLarge = Self(text: "image-too-large")
  public static let frameReplayed = Self(text: "frame-replayed")
  public static let timestampOutOfRange = Self(text: "timestamp-out-of-range")
  public static let outOfOrder = Self(text: "out-of-order")
  public static let notAssessed = Self(text: "not-assessed")
  public static let notEnrolled = Self(text: "not-enrolled")
  public static let templateOutdated = Self(text: "template-outdated")
  public static let modelUnavailable = Self(text: "model-unavailable")
  public static let busy = Self(text: "busy")
  public static let unavailable = Self(text: "unavailable")
  public static let lockedOut = Self(text: "locked-out")
  public static let tooManyRequests = Self(text: "too-many-requests")
  public static let messageLocked = Self(text: "message-locked")
  public static let messageGone = Self(text: "message-gone")
  /// Only the holder of the message's link can try it.
  public static let linkRequired = Self(text: "link-required")
  /// A device with this name is already registered with another key.
  public static let deviceExists = Self(text: "device-exists")
  public static let attestationDisabled = Self(text: "attestation-disabled")
  public static let attestationRejected = Self(text: "attestation-rejected")
  /// The multipart form cannot be parsed.
  public static let badForm = Self(text: "bad-form")
  /// The scan's current state does not allow this operation.
  public static let wrongState = Self(text: "wrong-state")
  /// Some files of the scan are incomplete.
  public static let filesIncomplete = Self(text: "files-incomplete")
  /// The upload's current offset differs from the one in the request.
  public static let offsetMismatch = Self(text: "offset-mismatch")
  /// The received bytes do not match the checksum.
  public static let checksumMismatch = Self(text: "checksum-mismatch")
  /// Another request is writing to this upload.
  public static let uploadBusy = Self(text: "upload-busy")
  /// A version of tus that the server does not support.
  public static let unsupportedVersion = Self(text: "unsupported-version")
  public static let methodNotAllowed = Self(text: "method-not-allowed")
  /// The request is not valid HTTP, or its body was truncated.
  public static let badRequest = Self(text: "bad-request")
  /// The body arrived too slowly.
  public static let bodyTooSlow = Self(text: "body-too-slow")
  /// The storage quota of the API key or the check is exhausted.
  public static let storageQuota = Self(text: "storage-quota")
  public static let internalError = Self(text: "internal-error")

  /// All server-side codes known to this version.
  public static let ofServer: [Self] = [
    .unauthorized, .forbidden, .tokenExpired, .demoDisabled, .notFound, .checkEnded, .frameInFlight, .tooManyFrames,
    .secondClient,
    .mixedSources, .sourceNotAllowed, .scanNotAllowed, .captureNotAllowed, .bodyTooLarge, .unsupportedMediaType,
    .badJSON, .unknownKey, .badValue, .notAImage, .imageTooLarge, .frameReplayed, .timestampOutOfRange, .outOfOrder,
    .notAssessed, .notEnrolled, .templateOutdated, .modelUnavailable, .busy,
    .unavailable, .lockedOut, .tooManyRequests, .messageLocked, .messageGone, .linkRequired, .deviceExists,
    .attestationDisabled, .attestationRejected,
    .badRequest, .badForm, .wrongState, .filesIncomplete, .offsetMismatch, .checksumMismatch, .uploadBusy,
    .unsupportedVersion,
    .methodNotAllowed, .bodyTooSlow, .storageQuota, .internalError,
  ]

  /// `true` for problems of a single frame; the next frame may succeed.
  var isPassing: Bool {
    [.frameInFlight, .tooManyFrames, .frameReplayed, .outOfOrder, .timestampOutOfRange, .notAImage].contains(self)
  }
}
