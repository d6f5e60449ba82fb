public import MienScanFormat

internal import MienCore

/// Finds the depth frame that corresponds to an image.
public struct FrameMatcher: Sendable {
  private var frames: [(number: Int, at: MonotonicInstant, pose: CameraPose?)] = []

  /// Maximum time difference, in nanoseconds, between corresponding map and image if both have poses.
  static let posedGap = 50_000_000 as Int64
  /// Maximum time difference if they are assumed to share a pose.
  static let unposedGap = 20_000_000 as Int64
  /// Limits for matching by pose: maximum distance between the cameras, in meters, plus 1 minus the cosine of the angle
  /// between them; and minimum cosine.
  static let nearest: Float = 0.3
  static let leastCosine: Float = 0.85

  public init() {}

  /// Registers a frame of the scan.
  public mutating func add(_ frame: ScanFrame, number: Int) { frames.append((number, frame.at, frame.pose)) }

  /// Returns the number of the matching frame; nil if none was captured at that time or from a nearby pose.
  public func frame(for image: ScanImage) -> Int? {
    if let at = image.at {
      let near = frames.min { gap($0.at, at) < gap($1.at, at) }
      guard let near else { return nil }
      let isPosed = image.pose != nil && near.pose != nil
      return gap(near.at, at) <= (isPosed ? Self.posedGap : Self.unposedGap) ? near.number : nil
    }
    guard let pose = image.pose else { return nil }
    var best: (number: Int, distance: Float)?
    for frame in frames {
      guard let other = frame.pose, dot(other.back, pose.back) >= Self.leastCosine else { continue }
      let offset = other.position - pose.position
      let distance = dot(offset, offset).squareRoot() + 1 - dot(other.back, pose.back)
      if distance <= Self.nearest, distance < best?.distance ?? .infinity { best = (frame.number, distance) }
    }
    return best?.number
  }

  private func gap(_ a: MonotonicInstant, _ b: MonotonicInstant) -> Int64 {
    let (gap, runsOver) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    return runsOver || gap == .min ? .max : abs(gap)
  }
}
