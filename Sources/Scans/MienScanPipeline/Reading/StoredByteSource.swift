internal import Dispatch
internal import MienScanFormat
internal import MienScanService
internal import Synchronization

/// Reads a stored file for code that is not asynchronous: the calling thread, which must be one of a worker pool, waits.
///
/// Sequential reading fetches more and more ahead. A scan may have thousands of files, so the buffer of a file that was
/// read to its end is released.
final class StoredByteSource: ByteSource {
  private struct Window {
    var start = 0
    var bytes: [UInt8] = []
    /// Number of bytes to fetch at once.
    var size = least

    var range: Range<Int> { start..<start + bytes.count }
  }

  private static let (least, most) = (64 << 10, 1 << 20)

  private let file: StoredFile
  private let failure: StoredReadFailure
  private let window = Mutex(Window())

  init(_ file: StoredFile, failure: StoredReadFailure) {
    self.file = file
    self.failure = failure
  }

  var count: Int { file.count }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    window.withLock { window in
      if !window.range.contains(range) {
        let isNext = window.range.contains(range.lowerBound) || window.range.upperBound == range.lowerBound
        window.size = isNext && !window.bytes.isEmpty ? min(2 * window.size, Self.most) : Self.least
        window.bytes = fetch(range.lowerBound..<min(max(range.upperBound, range.lowerBound + window.size), count))
        window.start = range.lowerBound
      }
      let first = range.lowerBound - window.start
      let bytes = Array(window.bytes[min(first, window.bytes.count)..<min(first + range.count, window.bytes.count)])
      if range.upperBound == count || window.bytes.count > Self.most { window = Window(size: window.size) }
      return bytes
    }
  }

  private func fetch(_ range: Range<Int>) -> [UInt8] {
    let reply = Reply()
    Task { [file, failure] in
      do {
        let bytes = try await file.read(range)
        reply.bytes.withLock { $0 = bytes }
      } catch {
        failure.note(error)
      }
      reply.isReady.signal()
    }
    reply.isReady.wait()
    return reply.bytes.withLock { $0 }
  }

  private final class Reply: Sendable {
    let bytes = Mutex<[UInt8]>([])
    let isReady = DispatchSemaphore(value: 0)
  }
}

/// The first error while reading a scan's files. Readers that are not asynchronous take it for the end of a file.
final class StoredReadFailure: Sendable {
  private let error = Mutex<(any Error)?>(nil)

  func note(_ error: any Error) { self.error.withLock { $0 = $0 ?? error } }

  /// - Throws: the error, if there was one.
  func check() throws { if let error = error.withLock({ $0 }) { throw error } }
}
