internal import Foundation
internal import MienCore

/// One verification: the bytes as a stream for the library, and the time limit.
///
/// The library calls back on the thread that called it, so that no lock is needed. `deadline` is tested at each read and
/// at each step of the validation.
@safe final class VerificationRun {
  private let bytes: UnsafeRawBufferPointer
  private let size: Int
  private var position = 0
  private let deadline: MonotonicInstant
  private let clock: @Sendable () -> MonotonicInstant
  /// `true` once the time limit was reached.
  private(set) var isLate = false
  /// `true` if the library asked for something on the network, which was refused.
  private(set) var wantedNetwork = false

  /// - Parameter bytes: valid as long as this object.
  @unsafe init(
    _ bytes: UnsafeRawBufferPointer, deadline: MonotonicInstant, clock: @escaping @Sendable () -> MonotonicInstant
  ) {
    unsafe self.bytes = bytes
    size = bytes.count
    self.deadline = deadline
    self.clock = clock
  }

  /// Returns `true` as long as there is time left.
  private func hasTimeLeft() -> Bool {
    if !isLate, clock() > deadline { isLate = true }
    return !isLate
  }

  @unsafe private func read(_ target: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    guard hasTimeLeft(), let target = unsafe target, count >= 0 else { return -1 }
    let length = min(count, max(size - position, 0))
    if length > 0, let start = unsafe bytes.baseAddress {
      unsafe target.update(from: (start + position).assumingMemoryBound(to: UInt8.self), count: length)
    }
    position += length
    return length
  }

  private func seek(_ offset: Int, _ mode: CInt) -> Int {
    let base: Int
    switch mode {
    case 0: base = 0
    case 1: base = position
    case 2: base = size
    default: return -1
    }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return target
  }

  // MARK: - Callbacks

  @unsafe private static func of(_ context: UnsafeMutableRawPointer?) -> VerificationRun? {
    unsafe context.map { unsafe Unmanaged<VerificationRun>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The context of the callbacks; valid as long as this object.
  var context: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

  static let read: C2PALibrary.Read = { context, target, count in unsafe of(context)?.read(target, count) ?? -1 }
  static let seek: C2PALibrary.Seek = { context, offset, mode in unsafe of(context)?.seek(offset, mode) ?? -1 }
  /// A verified file is never written to.
  static let write: C2PALibrary.Write = { _, _, _ in -1 }
  static let flush: C2PALibrary.Flush = { _ in 0 }
  static let progress: C2PALibrary.Progress = { context, _, _, _ in unsafe of(context)?.hasTimeLeft() == true ? 1 : 0 }
  /// Refuses every request.
  static let fetch: C2PALibrary.Fetch = { context, _, _ in
    unsafe of(context)?.wantedNetwork = true
    return -1
  }
}
