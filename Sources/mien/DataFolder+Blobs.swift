import Foundation
import MienBlobs
import MienService

extension DataFolder {
  /// The files of captures and scans of a space, encrypted under its seal.
  ///
  /// - Parameter folder: of the space.
  static func sealedBlobs(_ folder: String) throws -> SealedBlobs {
    SealedBlobs(try BlobFolder(folder + "/" + blobs), seal: try seal(folder)) { count in
      var dice = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    }
  }
}
