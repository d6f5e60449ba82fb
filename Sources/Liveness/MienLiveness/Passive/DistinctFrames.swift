public import MienCore

/// The fingerprints of those frames of a check that differ from one another, for comparing checks.
///
/// A face at rest before the same background looks like itself a day later; a face that moves never takes exactly the same way again,
/// unless it is a recording.
public struct DistinctFrames: Sendable {
  /// The most fingerprints of one check, 256 bytes each; the oldest go first.
  public static let most = 128
  /// The name of the finding.
  public static let check = "earlier-frames"

  private let settings: ReplaySettings
  private var fingerprints: [FrameFingerprint] = []

  public init(_ settings: ReplaySettings = .standard) { self.settings = settings }

  /// Number of fingerprints.
  public var count: Int { fingerprints.count }

  /// Adds a frame with a face, when it differs from the one added last.
  public mutating func process(_ observation: FaceObservation) {
    guard observation.face != nil, let fingerprint = observation.fingerprint else { return }
    if let last = fingerprints.last, fingerprint.distance(to: last) < settings.step { return }
    if fingerprints.count == Self.most { fingerprints.removeFirst() }
    fingerprints.append(fingerprint)
  }

  /// True when there are enough to be compared.
  public var canBeCompared: Bool { count >= settings.fewest }

  /// Returns the number of frames of this check that `earlier` also has, or whose neighbors before and after it has.
  public func matches(in earlier: DistinctFrames) -> Int {
    guard earlier.count > 1 else { return 0 }
    let steps = zip(earlier.fingerprints, earlier.fingerprints.dropFirst()).map { first, last in
      (first: first, last: last, length: first.distance(to: last))
    }
    return fingerprints.count { fingerprint in
      steps.contains { step in
        // Most frames are ruled out at a small cost: no blend is further from its first frame than the last one.
        guard fingerprint.leastDistance(to: step.first) <= step.length + settings.tolerance else { return false }
        // Across a cut there is nothing in between.
        guard step.length <= Self.longestBlend else {
          return fingerprint.distance(to: step.first) <= settings.tolerance
            || fingerprint.distance(to: step.last) <= settings.tolerance
        }
        return fingerprint.distance(toBlendOf: step.first, step.last) <= settings.tolerance
      }
    }
  }

  /// The greatest distance of two frames between which the face is taken to have moved on a straight way.
  static let longestBlend: Float = 0.5

  /// The finding for the most frames that one earlier check shares. Native measure: their share, of at least ``ReplaySettings/base``
  /// frames.
  public func finding(_ matches: Int) -> Finding {
    guard canBeCompared else { return Finding(check: Self.check, result: .notAssessed(.tooFewFrames(count))) }
    let share = Double(matches) / Double(max(count, settings.base))
    return ScoreCalibration(calm: 0, threshold: settings.share, worst: 1).finding(
      Self.check, share, because: "seen-in-earlier-check", version: ReplaySettings.version, frames: count)
  }
}

extension DistinctFrames: CustomStringConvertible, CustomReflectable {
  public var description: String { "DistinctFrames(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
