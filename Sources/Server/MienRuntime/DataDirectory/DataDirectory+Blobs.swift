internal import MienBlobs
internal import MienPlatform
internal import MienSecurity

extension DataDirectory {
  /// Returns the store for the files of captures and scans of a realm, encrypted under its master key.
  ///
  /// - Parameter folder: the realm's folder.
  static func encryptedBlobs(_ folder: String, times: OperationTimings) throws -> EncryptedBlobStore {
    try encrypted(InstrumentedBlobStore(try FileBlobStore(folder + "/" + blobs), .disk, times: times), folder)
  }

  /// Wraps a blob store so that its contents are encrypted under the realm's master key.
  static func encrypted(_ store: some BlobStore, _ folder: String) throws -> EncryptedBlobStore {
    EncryptedBlobStore(store, keyring: try keyring(folder), random: random)
  }

  /// Returns `count` bytes from the system's cryptographically secure random number generator.
  @Sendable static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
