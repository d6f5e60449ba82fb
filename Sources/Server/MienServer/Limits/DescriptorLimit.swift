internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The limit of open file descriptors of this process, and how it is divided between connections and everything else.
///
/// Parts of the system end the process when they need a descriptor and there is none, so connections never take all of them.
public struct DescriptorLimit: Hashable, Sendable {
  /// How many descriptors the process may have.
  public let soft: Int
  /// How many it could have after raising the limit by itself.
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

  /// The largest limit that is asked for: more descriptors than any server uses.
  private static let most = 1 << 20

  /// The limit of this process as it is; nil where the system does not report one.
  public static var current: DescriptorLimit? {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return nil }
    return DescriptorLimit(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
  }

  /// Raises the soft limit to the hard one, at most 1,048,576.
  ///
  /// - Returns: the limit that holds from now on; nil where the system does not report one.
  public static func raise() -> DescriptorLimit? {
    guard let limit = current, limit.soft < min(limit.hard, most) else { return current }
    var wanted = rlimit(rlim_cur: rlim_t(min(limit.hard, most)), rlim_max: rlim_t(clamping: limit.hard))
    // An infinite hard limit is kept as it is.
    if limit.hard == Int.max { wanted.rlim_max = rlim_t.max }
    _ = unsafe setrlimit(resource, &wanted)
    return current
  }

  /// How many descriptors the process has open; nil where the system does not report them.
  public static var openCount: Int? {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
  }

  /// How many descriptors are kept free for files, the database, object stores and ffmpeg: a quarter, at least 24 and at most 4096.
  public var reserve: Int { min(4096, max(24, soft / 4)) }

  /// How many connections may be open at once.
  ///
  /// - Parameters:
  ///   - wanted: how many the operator allows.
  ///   - open: how many descriptors were open before the first connection.
  /// - Returns: 0 or less when the limit leaves no room for any.
  public func connections(wanted: Int, open: Int) -> Int { min(wanted, soft - open - reserve) }

  /// True for a limit at which a busy server would keep connections waiting.
  public var isLow: Bool { soft < Self.recommended }

  /// The limit that the documentation recommends.
  public static let recommended = 16_384
}
