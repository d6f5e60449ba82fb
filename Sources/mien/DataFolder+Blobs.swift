import Foundation
import MienBlobs
import MienService

extension DataFolder {
  /// The files of captures and scans of a space, encrypted under its seal.
  ///
  /// - Parameter folder: of the space.
  static func sealedBlobs(_ folder: String, times: WorkTimes) throws -> SealedBlobs {
    try sealed(MeteredBlobs(try BlobFolder(folder + "/" + blobs), .disk, times: times), folder)
  }

  /// The same files, wherever they are kept.
  static func sealed(_ store: some BlobStore, _ folder: String) throws -> SealedBlobs {
    SealedBlobs(store, seal: try seal(folder), random: random)
  }

  /// So many unguessable bytes.
  @Sendable static func random(_ count: Int) -> [UInt8] {
    var dice = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
  }
}
