internal import Foundation
internal import MienScanFormat

/// Reads a file on demand: only requested ranges are in memory, never the whole file.
///
/// Scan readers request one frame, image or table at a time; Documentation/guides/Scans.md lists the size limits.
final class FileByteSource: ByteSource {
  let count: Int
  private let descriptor: Int32

  /// - Throws: ``ScanError`` `missing` if the file does not exist or cannot be read.
  init(_ path: String) throws(ScanError) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ScanError(.missing, "\(path) does not exist or cannot be read") }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else {
      close(descriptor)
      throw ScanError(.missing, "\(path) cannot be read in pieces")
    }
    count = Int(end)
  }

  deinit { close(descriptor) }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: range.count) { target, filled in
      filled = 0
      while filled < range.count {
        // The result is shorter if the file was truncated or cannot be read.
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

/// A range of another byte source.
struct ByteSourceSlice: ByteSource {
  private let whole: any ByteSource
  private let range: Range<Int>

  /// - Parameter range: range within `whole`.
  init(_ whole: any ByteSource, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= whole.count)
    self.whole = whole
    self.range = range
  }

  var count: Int { range.count }

  func bytes(_ part: Range<Int>) -> [UInt8] {
    whole.bytes(range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }
}
