public import MienAuthenticity
public import MienCore
public import MienImaging
public import MienPlatform

/// A capture as stored: facts only. ``CaptureLines`` interprets them on demand.
public struct CaptureRecord: Sendable, Equatable {
  /// An image or a depth map.
  public struct File: Hashable, Sendable {
    public let digest: ContentDigest
    /// Size in bytes; `nil` if only the digest was sent.
    public let size: Int?
    /// Blob that stores the file; `nil` if only the digest was sent.
    public let blob: BlobID?

    public init(digest: ContentDigest, size: Int?, blob: BlobID?) {
      self.digest = digest
      self.size = size
      self.blob = blob
    }
  }

  /// State of the analysis.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case queued
    case analyzed = "analyzed"
    /// There is no image to analyze.
    case hashOnly = "hash-only"
  }

  public let id: CaptureID
  /// Digest of the API key or check that created the capture, for quotas; `nil` without either.
  public let owner: SecretDigest?
  /// Check whose token created the capture, with which it is deleted; `nil` if an API key created it.
  public let check: CheckID?
  public let receipt: SecretDigest
  public let received: UnixTime
  public let photo: File
  /// Media type, for example `image/jpeg`, according to the first bytes; `nil` if only the digest was sent.
  public let photoType: String?
  public let depth: File?
  public let motion: CaptureMotionMedia?
  /// JSON as received.
  public let metadata: [UInt8]?
  /// JSON as received.
  public let detection: [UInt8]?
  public let claims: CaptureClaims
  public let signature: SignatureOutcome?
  /// State before this capture; the store sets it when it saves the capture.
  public var history: CaptureDuplicates
  public var state: State
  /// Results of the server's checks of the pixels and the depth; `nil` before the analysis and if there is no image.
  public var results: DetectionResults?
  /// Content credential of the photo's file as of the analysis; `nil` before it and if there is no image.
  public var provenance: ProvenanceOutcome?
  /// The server's own credential for the photo; `nil` before the analysis and on a server without a certificate.
  public var reception: ReceptionCredential?

  public init(
    id: CaptureID, owner: SecretDigest? = nil, check: CheckID? = nil, receipt: SecretDigest, received: UnixTime,
    photo: File, photoType: String?, depth: File?,
    motion: CaptureMotionMedia? = nil, metadata: [UInt8]?, detection: [UInt8]?, claims: CaptureClaims,
    signature: SignatureOutcome?,
    history: CaptureDuplicates = CaptureDuplicates(), state: State, results: DetectionResults? = nil,
    provenance: ProvenanceOutcome? = nil, reception: ReceptionCredential? = nil
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
    self.provenance = provenance
    self.reception = reception
  }

  /// Total size of the files in bytes.
  public var storedBytes: Int { [photo.size, depth?.size, motion?.size].compactMap(\.self).reduce(0, +) }
}

/// Claims of the client about the capture; none of them is trusted.
public struct CaptureClaims: Codable, Hashable, Sendable {
  public var metadata: CaptureMetadata?
  public var detection: DetectionResults?
  /// Provenance according to the photo's file; `nil` if it contains none.
  public var file: ImageProvenance?

  public init(metadata: CaptureMetadata? = nil, detection: DetectionResults? = nil, file: ImageProvenance? = nil) {
    self.metadata = metadata
    self.detection = detection
    self.file = file
  }
}

/// The result of verifying a capture's signature.
public struct SignatureOutcome: Codable, Hashable, Sendable {
  public enum Standing: String, Codable, Hashable, Sendable {
    case valid
    /// The signature was not made with the device's key.
    case invalid
    /// No such device is registered.
    case deviceUnknown = "device-unknown"
  }

  public let device: String
  public let counter: Int64
  public let standing: Standing
  /// Received parts that differ from the signed ones, if the signature is valid.
  public let changed: [CapturePart]
  /// Verification of the app, if the signature is valid; `nil` if the server did not verify it.
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

  /// `true` if the device signed exactly the parts that were received.
  public var covers: Bool { standing == .valid && changed.isEmpty }
}

/// State of the store before a capture was received.
public struct CaptureDuplicates: Hashable, Sendable {
  /// Number of earlier captures with the same photo.
  public var samePhoto: Int
  /// Previous counter of the device; `nil` if the device is not registered.
  public var counter: Int64?
  /// Previous counter of the attested key; `nil` if it made no assertion.
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

/// The server's signed statement that it received a photo: a content credential (C2PA) to store beside the file, which
/// is not modified.
public struct ReceptionCredential: Hashable, Sendable {
  public let signer: ContentCredential.Signer
  /// Content of the `.c2pa` file. It covers all bytes of the photo.
  public let manifest: [UInt8]

  public init(signer: ContentCredential.Signer, manifest: [UInt8]) {
    self.signer = signer
    self.manifest = manifest
  }
}

extension ReceptionCredential: Codable {
  private enum CodingKeys: String, CodingKey { case signer, manifest }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    signer = try box.decode(ContentCredential.Signer.self, forKey: .signer)
    guard let bytes = Base64URL.decode(try box.decode(String.self, forKey: .manifest)) else {
      throw DecodingError.dataCorruptedError(forKey: .manifest, in: box, debugDescription: "not base64url")
    }
    manifest = bytes
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(signer, forKey: .signer)
    try box.encode(Base64URL.encode(manifest), forKey: .manifest)
  }
}
