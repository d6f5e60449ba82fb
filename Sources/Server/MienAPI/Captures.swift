/// Body of `POST /v1/devices`: the public key of a device that will sign captures.
public struct RegisterDeviceRequest: Codable, Hashable, Sendable {
  /// A P-256 key as a JSON Web Key (RFC 7517).
  public struct Key: Codable, Hashable, Sendable {
    public var kty: String
    public var crv: String
    public var x: String
    public var y: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case kty, crv, x, y }

    /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
    public init(from decoder: any Decoder) throws {
      try decoder.refuseStrayKeys(CodingKeys.self)
      let box = try decoder.container(keyedBy: CodingKeys.self)
      kty = try box.decode(String.self, forKey: .kty)
      crv = try box.decode(String.self, forKey: .crv)
      x = try box.decode(String.self, forKey: .x)
      y = try box.decode(String.self, forKey: .y)
    }
  }

  /// Device name, 1 to 64 characters of `A–Z a–z 0–9 - _`.
  public var device: String
  public var key: Key
  /// Apple's attestation of the app; `nil` without one.
  public var appAttest: AppAttestRequest?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case device, key
    case appAttest = "app_attest"
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    device = try box.decode(String.self, forKey: .device)
    key = try box.decode(Key.self, forKey: .key)
    appAttest = try box.decodeIfPresent(AppAttestRequest.self, forKey: .appAttest)
  }
}

/// A registered device.
public struct DeviceResponse: Codable, Hashable, Sendable {
  public var device: String
  /// Counter of the latest capture; 0 before the first.
  public var counter: Int64
  public var createdAt: String
  /// App attested for the device's key; `nil` if there is none.
  public var appAttest: AppAttestResponse?

  public enum CodingKeys: String, CodingKey {
    case device, counter
    case createdAt = "created_at"
    case appAttest = "app_attest"
  }

  public init(device: String, counter: Int64, createdAt: String, appAttest: AppAttestResponse? = nil) {
    self.device = device
    self.counter = counter
    self.createdAt = createdAt
    self.appAttest = appAttest
  }
}

/// Part `digests` of a capture whose files are stored: digests of the other parts in lowercase hexadecimal.
public struct DigestsPart: Codable, Hashable, Sendable {
  public var photo: String
  public var depth: String?
  public var burst: String?
  public var clip: String?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case photo, burst, clip
    case depth = "depth_map"
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    photo = try box.decode(String.self, forKey: .photo)
    depth = try box.decodeIfPresent(String.self, forKey: .depth)
    burst = try box.decodeIfPresent(String.self, forKey: .burst)
    clip = try box.decodeIfPresent(String.self, forKey: .clip)
  }
}

/// Part `signature` of a capture: the values signed by the device, and its signature.
public struct SignaturePart: Codable, Hashable, Sendable {
  public var device: String
  public var counter: Int64
  /// Digests in lowercase hexadecimal; omitted for parts that the capture does not have.
  public var photo: String
  public var depth: String?
  public var metadata: String?
  public var detection: String?
  public var burst: String?
  public var clip: String?
  /// Base64url without padding: 64 bytes (r, s) or DER.
  public var signature: String

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case device, counter, photo, metadata, detection, burst, clip, signature
    case depth = "depth_map"
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    device = try box.decode(String.self, forKey: .device)
    counter = try box.decode(Int64.self, forKey: .counter)
    photo = try box.decode(String.self, forKey: .photo)
    depth = try box.decodeIfPresent(String.self, forKey: .depth)
    metadata = try box.decodeIfPresent(String.self, forKey: .metadata)
    detection = try box.decodeIfPresent(String.self, forKey: .detection)
    burst = try box.decodeIfPresent(String.self, forKey: .burst)
    clip = try box.decodeIfPresent(String.self, forKey: .clip)
    signature = try box.decode(String.self, forKey: .signature)
  }
}

// Initializers for device apps; the server only decodes these types.

extension RegisterDeviceRequest {
  public init(device: String, key: Key, appAttest: AppAttestRequest? = nil) {
    self.device = device
    self.key = key
    self.appAttest = appAttest
  }
}

extension RegisterDeviceRequest.Key {
  /// Creates a P-256 public key from its point.
  ///
  /// - Parameters:
  ///   - x: 32 bytes in base64url without padding.
  ///   - y: 32 bytes in base64url without padding.
  public init(x: String, y: String) {
    kty = "EC"
    crv = "P-256"
    self.x = x
    self.y = y
  }
}

extension SignaturePart {
  /// Creates the part from digests in lowercase hexadecimal of the parts that the capture has, and the signature in
  /// base64url without padding.
  public init(
    device: String, counter: Int64, photo: String, depth: String?, metadata: String?, detection: String?,
    signature: String
  ) {
    self.device = device
    self.counter = counter
    self.photo = photo
    self.depth = depth
    self.metadata = metadata
    self.detection = detection
    self.signature = signature
  }
}
