public import MienAuthenticity
public import MienImaging
public import MienCore

/// A capture as it is kept: facts only. What they mean, ``CaptureLines`` says when somebody asks.
public struct CaptureRecord: Sendable, Equatable {
  /// A picture or a depth map.
  public struct File: Hashable, Sendable {
    public let digest: ContentDigest
    /// In bytes; nil when only the digest came.
    public let size: Int?
    /// Where it is kept; nil when only the digest came.
    public let blob: BlobID?

    public init(digest: ContentDigest, size: Int?, blob: BlobID?) {
      self.digest = digest
      self.size = size
      self.blob = blob
    }
  }

  /// How far the analysis is.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case queued
    case analyzed = "analysed"
    /// There is no picture to analyse.
    case hashOnly = "hash-only"
  }

  public let id: CaptureID
  /// Whose API key or check made it, for quotas; nil without either.
  public let owner: SecretDigest?
  /// The check whose token made it, with which it is erased; nil for one that an API key made.
  public let check: CheckID?
  public let receipt: SecretDigest
  public let received: UnixTime
  public let photo: File
  /// `image/jpeg` or `image/png`, by its first bytes; nil when only the digest came.
  public let photoType: String?
  public let depth: File?
  public let motion: CaptureMotionMedia?
  /// As it came, JSON.
  public let metadata: [UInt8]?
  /// As it came, JSON.
  public let detection: [UInt8]?
  public let claims: CaptureClaims
  public let signature: SignatureOutcome?
  /// What was there before; the store fills it in when it keeps the capture.
  public var history: CaptureDuplicates
  public var state: State
  /// What the server found in the pixels and the depth; nil before, and where there is no picture.
  public var results: DetectionResults?

  public init(
    id: CaptureID, owner: SecretDigest? = nil, check: CheckID? = nil, receipt: SecretDigest, received: UnixTime,
    photo: File, photoType: String?, depth: File?,
    motion: CaptureMotionMedia? = nil, metadata: [UInt8]?, detection: [UInt8]?, claims: CaptureClaims,
    signature: SignatureOutcome?,
    history: CaptureDuplicates = CaptureDuplicates(), state: State, results: DetectionResults? = nil
  ) {
    self.id = id
    self.owner = owner
    self.check = check
    self.receipt = receipt
    self.received = received
    self.photo = photo
    self.photoType = photoType
    self.depth = depth
    self.motion = motion
    self.metadata = metadata
    self.detection = detection
    self.claims = claims
    self.signature = signature
    self.history = history
    self.state = state
    self.results = results
  }

  /// How many bytes its files come to.
  public var storedBytes: Int { [photo.size, depth?.size, motion?.size].compactMap(\.self).reduce(0, +) }
}

/// What the client says of the capture; nothing of it is believed.
public struct CaptureClaims: Codable, Hashable, Sendable {
  public var metadata: CaptureMetadata?
  public var detection: DetectionResults?
  /// What the photo's own file says; nil when it says nothing.
  public var file: ImageProvenance?

  public init(metadata: CaptureMetadata? = nil, detection: DetectionResults? = nil, file: ImageProvenance? = nil) {
    self.metadata = metadata
    self.detection = detection
    self.file = file
  }
}

/// What checking a capture's signature came to.
public struct SignatureOutcome: Codable, Hashable, Sendable {
  public enum Standing: String, Codable, Hashable, Sendable {
    case valid
    /// The device's key did not make it.
    case invalid
    /// No such device is registered.
    case deviceUnknown = "device-unknown"
  }

  public let device: String
  public let counter: Int64
  public let standing: Standing
  /// Where the signature is valid: the parts that came are not the ones that were signed.
  public let changed: [CapturePart]
  /// Where the signature is valid: what is known of the app; nil where the server did not check that.
  public let attestation: AttestationOutcome?

  public init(
    device: DeviceID, counter: Int64, standing: Standing, changed: [CapturePart], attestation: AttestationOutcome? = nil
  ) {
    self.device = device.text
    self.counter = counter
    self.standing = standing
    self.changed = changed
    self.attestation = attestation
  }

  /// True when the device signed just what came.
  public var covers: Bool { standing == .valid && changed.isEmpty }
}

/// What the store had when a capture came.
public struct CaptureDuplicates: Hashable, Sendable {
  /// How many captures of the same picture there were.
  public var samePhoto: Int
  /// The device's counter before; nil without a registered device.
  public var counter: Int64?
  /// The attested key's counter before; nil where it made no assertion.
  public var assertion: Int64?

  public init(samePhoto: Int = 0, counter: Int64? = nil, assertion: Int64? = nil) {
    self.samePhoto = samePhoto
    self.counter = counter
    self.assertion = assertion
  }
}

extension CaptureRecord: CustomStringConvertible, CustomReflectable {
  public var description: String { "CaptureRecord(\(state.rawValue))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
