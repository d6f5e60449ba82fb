/// The reason why the service rejected a request. Compared by code; the server maps each code to one HTTP status.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The stable text of the code in API responses.
    public let text: String

    public static let unauthorized = Code(text: "unauthorized")
    public static let forbidden = Code(text: "forbidden")
    public static let tokenExpired = Code(text: "token-expired")
    public static let demoDisabled = Code(text: "demo-disabled")
    public static let notFound = Code(text: "not-found")
    public static let checkEnded = Code(text: "check-ended")
    public static let frameInFlight = Code(text: "frame-in-flight")
    public static let tooManyFrames = Code(text: "too-many-frames")
    public static let secondClient = Code(text: "second-client")
    public static let mixedSources = Code(text: "mixed-sources")
    public static let sourceNotAllowed = Code(text: "source-not-allowed")
    public static let scanNotAllowed = Code(text: "scan-not-allowed")
    public static let captureNotAllowed = Code(text: "capture-not-allowed")
    public static let bodyTooLarge = Code(text: "body-too-large")
    public static let unsupportedMediaType = Code(text: "unsupported-media-type")
    public static let badJSON = Code(text: "bad-json")
    public static let unknownKey = Code(text: "unknown-key")
    public static let badValue = Code(text: "bad-value")
    public static let notAImage = Code(text: "not-an-image")
    public static let imageTooLarge = Code(text: "image-too-large")
    public static let frameReplayed = Code(text: "frame-replayed")
    public static let timestampOutOfRange = Code(text: "timestamp-out-of-range")
    public static let outOfOrder = Code(text: "out-of-order")
    public static let notAssessed = Code(text: "not-assessed")
    public static let notEnrolled = Code(text: "not-enrolled")
    public static let templateOutdated = Code(text: "template-outdated")
    public static let modelUnavailable = Code(text: "model-unavailable")
    public static let busy = Code(text: "busy")
    public static let unavailable = Code(text: "unavailable")
    public static let lockedOut = Code(text: "locked-out")
    public static let tooManyRequests = Code(text: "too-many-requests")
    public static let messageLocked = Code(text: "message-locked")
    public static let messageGone = Code(text: "message-gone")
    public static let linkRequired = Code(text: "link-required")
    public static let deviceExists = Code(text: "device-exists")
    public static let attestationDisabled = Code(text: "attestation-disabled")
    public static let attestationRejected = Code(text: "attestation-rejected")
    public static let badRequest = Code(text: "bad-request")
    public static let badForm = Code(text: "bad-form")
    public static let wrongState = Code(text: "wrong-state")
    public static let filesIncomplete = Code(text: "files-incomplete")
    public static let offsetMismatch = Code(text: "offset-mismatch")
    public static let checksumMismatch = Code(text: "checksum-mismatch")
    public static let uploadBusy = Code(text: "upload-busy")
    public static let unsupportedVersion = Code(text: "unsupported-version")
    public static let methodNotAllowed = Code(text: "method-not-allowed")
    public static let bodyTooSlow = Code(text: "body-too-slow")
    public static let storageQuota = Code(text: "storage-quota")
    public static let internalError = Code(text: "internal-error")

    public static let allCases: [Code] = [
      .unauthorized, .forbidden, .tokenExpired, .demoDisabled, .notFound, .checkEnded, .frameInFlight, .tooManyFrames,
      .secondClient,
      .mixedSources, .sourceNotAllowed, .scanNotAllowed, .captureNotAllowed, .bodyTooLarge, .unsupportedMediaType,
      .badJSON, .unknownKey, .badValue, .notAImage, .imageTooLarge, .frameReplayed, .timestampOutOfRange, .outOfOrder,
      .notAssessed, .notEnrolled, .templateOutdated, .modelUnavailable, .busy,
      .unavailable, .lockedOut, .tooManyRequests, .messageLocked, .messageGone, .linkRequired, .deviceExists,
      .attestationDisabled,
      .attestationRejected, .badRequest, .badForm, .wrongState, .filesIncomplete, .offsetMismatch, .checksumMismatch,
      .uploadBusy,
      .unsupportedVersion, .methodNotAllowed, .bodyTooSlow, .storageQuota, .internalError,
    ]
    public var description: String { text }
  }

  public let code: Code
  /// Explanation of the problem and its remedy, for the integrator's developers.
  public let reason: String
  /// A value for the caller besides the reason, such as the final step of a check that is over.
  public let detail: (any Sendable)?

  /// Number of seconds after which to retry, if known.
  public let retryAfter: Int?

  public init(_ code: Code, _ reason: String, detail: (any Sendable)? = nil, retryAfter: Int? = nil) {
    self.code = code
    self.reason = reason
    self.detail = detail
    self.retryAfter = retryAfter
  }

  public static func == (left: ServiceError, right: ServiceError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}

extension ServiceError {
  /// The server allows no performance without frames.
  package static var messageClaimsNotAllowed: ServiceError {
    ServiceError(
      .sourceNotAllowed,
      "This server decides performances from frames only. To accept observations that a device claims, start the server with "
        + "--allow-claimed-observations.")
  }

  /// The server allows no check without frames.
  package static var claimsNotAllowed: ServiceError {
    ServiceError(
      .sourceNotAllowed,
      "This server decides checks from frames only. To accept observations that a device claims, start the server with "
        + "--allow-claimed-observations.")
  }
}

/// The reason why a store operation failed. Compared by code; never contains a stored value.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case duplicate, missing, unavailable, leaseLost, full }
    fileprivate let kind: Kind
    /// The record already exists and may not be overwritten.
    public static let duplicate = Code(kind: .duplicate)
    /// A referenced record does not exist.
    public static let missing = Code(kind: .missing)
    /// The store cannot perform the operation now.
    public static let unavailable = Code(kind: .unavailable)
    /// Another server holds the record now.
    public static let leaseLost = Code(kind: .leaseLost)
    /// The owner's storage quota is exceeded.
    public static let full = Code(kind: .full)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// The attempted operation and the remedy.
  public let reason: String

  public init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
