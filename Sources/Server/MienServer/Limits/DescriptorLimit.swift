internal import Foundation
internal import NIOCore

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Limit on open file descriptors of this process, and its division between connections and other uses.
///
/// Some system components terminate the process if they cannot allocate a descriptor, so connections never use all of
/// them.
public struct DescriptorLimit: Hashable, Sendable {
  /// Soft limit: the number of descriptors that the process may open.
  public let soft: Int
  /// Hard limit, to which the process can raise the soft limit.
  public let hard: Int

  public init(soft: Int, hard: Int) {
    self.soft = soft
    self.hard = hard
  }

  #if canImport(Glibc)
    private static var resource: CInt { CInt(RLIMIT_NOFILE.rawValue) }
  #else
    private static var resource: CInt { RLIMIT_NOFILE }
  #endif

  /// Maximum soft limit that is requested: more descriptors than any server uses.
  private static let most = 1 << 20

  /// Current limit of this process; `nil` if the system does not report one.
  public static var current: DescriptorLimit? {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
    return DescriptorLimit(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
  }

  /// Raises the soft limit to the hard limit, at most 1,048,576.
  ///
  /// - Returns: the new limit, or `nil` if the system does not report one.
  public static func raise() -> DescriptorLimit? {
    guard let limit = current, limit.soft < min(limit.hard, most) else { return current }
    var wanted = rlimit(rlim_cur: rlim_t(min(limit.hard, most)), rlim_max: rlim_t(clamping: limit.hard))
    // An infinite hard limit is preserved.
    if limit.hard == Int.max { wanted.rlim_max = rlim_t.max }
    _ = unsafe setrlimit(resource, &wanted)
    return current
  }

  /// Number of open descriptors of the process; `nil` if the system does not report it.
  public static var openCount: Int? {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
  }

  /// Number of descriptors reserved for files, the database, object stores and ffmpeg: a quarter, at least 24 and at
  /// most 4096.
  public var reserve: Int { min(4096, max(24, soft / 4)) }

  /// Returns the maximum number of open connections.
  ///
  /// - Parameters:
  ///   - wanted: maximum set by the operator.
  ///   - open: number of descriptors that were open before the first connection.
  /// - Returns: 0 or less if the limit is too low for any connection.
  public func connections(wanted: Int, open: Int) -> Int { min(wanted, soft - open - reserve) }

  /// `true` if the limit is so low that a busy server would have to delay connections.
  public var isLow: Bool { soft < Self.recommended }

  /// Limit that the documentation recommends.
  public static let recommended = 16_384
}

/// Detection of errors caused by a lack of file descriptors.
enum Descriptors {
  /// Returns `true` for an error that reports that the process or the system cannot open more files.
  static func areExhausted(_ error: any Error) -> Bool {
    if let error = error as? IOError { return isDescriptorShortage(error.errnoCode) }
    if let error = error as? POSIXError { return isDescriptorShortage(error.code.rawValue) }
    guard let error = (error as? CocoaError)?.underlying as? POSIXError else { return false }
    return isDescriptorShortage(error.code.rawValue)
  }

  private static func isDescriptorShortage(_ number: CInt) -> Bool { number == EMFILE || number == ENFILE }
}
