internal import MienPlatform

/// Kinds of observations that a check accepts, as requested by the integrator.
///
/// A check that accepts only ``observed`` can only pass on frames that this server has analyzed. ``claimed`` and
/// ``depth`` are reported by the device: anyone who holds the check's token can forge them without a camera.
public struct CheckSources: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Frames in which the server detects the face.
  public static let observed = CheckSources(rawValue: 1)
  /// Observations that a device reports without sending frames.
  public static let claimed = CheckSources(rawValue: 2)
  /// Depth captures that pass the check by themselves, without any task.
  public static let depth = CheckSources(rawValue: 4)

  /// Sources that are reported by the device.
  static let device: CheckSources = [.claimed, .depth]
  private static let all: CheckSources = [.observed, .claimed, .depth]
  private static let named: [(name: String, source: CheckSources)] = [
    ("observed", .observed), ("claimed", .claimed), ("depth", .depth),
  ]

  /// Names used in the API, in a fixed order.
  public var names: [String] { Self.named.filter { contains($0.source) }.map(\.name) }

  /// Creates a set from the names used in the API.
  ///
  /// - Throws: ``ServiceError`` with code `badValue` for an empty list, an unknown or repeated name, and for `depth`
  ///   alone: a person whose depth does not pass is asked for tasks, which need one of the other sources.
  public init(names: [String]) throws {
    let known = Self.named.map(\.name)
    guard !names.isEmpty, names.allSatisfy(known.contains), Set(names).count == names.count else {
      throw ServiceError(
        .badValue, "\"sources\" holds each of \(known.joined(separator: ", ")) at most once, and at least one.")
    }
    self = Self.named.reduce(into: []) { if names.contains($1.name) { $0.formUnion($1.source) } }
    guard self != .depth else {
      throw ServiceError(
        .badValue,
        "\"sources\": a check with \"depth\" also needs \"observed\" or \"claimed\", for people whose depth does not pass."
      )
    }
  }

  /// Creates a set from a stored value; returns `nil` if it is empty or contains an unknown source.
  public init?(stored value: Int) {
    self.init(rawValue: value)
    guard !isEmpty, isSubset(of: .all) else { return nil }
  }
}
