internal import Foundation

/// Bytes in memory that the library reads or writes through its callbacks. Used by one thread at a time.
@safe final class MemoryStream {
  private(set) var bytes: [UInt8]
  private var position = 0
  private let limit: Int

  /// - Parameter limit: maximum number of bytes; writing more fails.
  init(_ bytes: [UInt8] = [], limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  @unsafe private func read(_ target: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    guard let target = unsafe target, count >= 0 else { return -1 }
    let part = bytes.dropFirst(position).prefix(count)
    _ = unsafe UnsafeMutableBufferPointer(start: target, count: part.count).update(fromContentsOf: part)
    position += part.count
    return part.count
  }

  @unsafe private func write(_ source: UnsafePointer<UInt8>?, _ count: Int) -> Int {
    guard let source = unsafe source, count >= 0, position <= limit - count else { return -1 }
    if position > bytes.count { bytes += [UInt8](repeating: 0, count: position - bytes.count) }
    unsafe bytes.replaceSubrange(
      position..<min(position + count, bytes.count), with: UnsafeBufferPointer(start: source, count: count))
    position += count
    return count
  }

  private func seek(_ offset: Int, _ mode: CInt) -> Int {
    let base = mode == 1 ? position : mode == 2 ? bytes.count : 0
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0, target <= limit else { return -1 }
    position = target
    return target
  }

  // MARK: - Callbacks

  /// The context of the callbacks; valid as long as this object.
  var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  @unsafe private static func of(_ context: UnsafeMutableRawPointer?) -> MemoryStream? {
    unsafe context.map { unsafe Unmanaged<MemoryStream>.fromOpaque($0).takeUnretainedValue() }
  }

  static let read: C2PALibrary.Read = { context, target, count in unsafe of(context)?.read(target, count) ?? -1 }
  static let seek: C2PALibrary.Seek = { context, offset, mode in unsafe of(context)?.seek(offset, mode) ?? -1 }
  static let write: C2PALibrary.Write = { context, source, count in unsafe of(context)?.write(source, count) ?? -1 }
  static let flush: C2PALibrary.Flush = { _ in 0 }
  /// Refuses every request: signing uses no network either.
  static let fetch: C2PALibrary.Fetch = { _, _, _ in -1 }
}
