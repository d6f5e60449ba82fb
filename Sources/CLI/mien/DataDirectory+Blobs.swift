import Foundation
import MienBlobs
import MienService

extension DataDirectory {
  /// The files of captures and scans of a space, encrypted under its seal.
  ///
  /// - Parameter folder: of the space.
  static func sealedBlobs(_ folder: String, times: OperationTimings) throws -> EncryptedBlobStore {
    try sealed(InstrumentedBlobStore(try FileBlobStore(folder + "/" + blobs), .disk, times: times), folder)
  }

  /// The same files, wherever they are kept.
  static func sealed(_ store: some BlobStore, _ folder: String) throws -> EncryptedBlobStore {
    EncryptedBlobStore(store, keyring: try keyring(folder), random: random)
  }

  /// So many unguessable bytes.
  @Sendable static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
