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
  ///   - x: 32 bytes in base64url without padding; `y` likewise.
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
