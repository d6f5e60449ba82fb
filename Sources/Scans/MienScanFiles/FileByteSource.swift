internal import Foundation
internal import MienDepth

/// The bytes of a file, read as they are asked for: what is asked for at once is in memory, the file never is.
///
/// Who reads a scan asks for a frame, a picture or a table of what there is; Documentation/Scanning.md says how large
/// these may be.
final class FileByteSource: ByteSource {
  let count: Int
  private let descriptor: Int32

  /// - Throws: ``ScanError`` `missing` when the file is not there or cannot be read.
  init(_ path: String) throws(ScanError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ScanError(.missing, "\(path) is not there or cannot be read") }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else {
      close(descriptor)
      throw ScanError(.missing, "\(path) cannot be read piece by piece")
    }
    count = Int(end)
  }

  deinit { close(descriptor) }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { target, filled in
      filled = 0
      while filled < range.count {
        // What was cut off since, or cannot be read, is missing in the answer.
        let got = unsafe pread(
          descriptor, target.baseAddress.map { unsafe $0 + filled }, range.count - filled,
          off_t(range.lowerBound + filled))
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
  }
}
