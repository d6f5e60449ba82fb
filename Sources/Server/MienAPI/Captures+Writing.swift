// What a device writes; the server only reads these.

extension RegisterDeviceRequest {
  public init(device: String, key: Key, appAttest: AppAttestRequest? = nil) {
    self.device = device
    self.key = key
    self.appAttest = appAttest
  }
}

extension RegisterDeviceRequest.Key {
  /// A point on P-256.
  ///
  /// - Parameters:
  ///   - x: 32 bytes in base64url without padding; so is `y`.
  public init(x: String, y: String) {
    kty = "EC"
    crv = "P-256"
    self.x = x
    self.y = y
  }
}

extension SignaturePart {
  /// Digests in lower-case hexadecimal, of the parts that the capture has; the signature in base64url without padding.
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
