public import MienCore

/// The fingerprints of those frames of a check that differ from one another, for comparing checks.
///
/// A still face in front of the same background looks the same a day later; a moving face never follows exactly the
/// same path again, unless it is a recording.
public struct DistinctFrames: Sendable {
  /// Maximum number of fingerprints of one check, 256 bytes each; the oldest are removed first.
  public static let most = 128
  /// Name of the finding.
  public static let check = "earlier-frames"

  private let settings: ReplaySettings
  private var fingerprints: [FrameFingerprint] = []

  public init(_ settings: ReplaySettings = .standard) { self.settings = settings }

  /// Number of fingerprints.
  public var count: Int { fingerprints.count }

  /// Adds a frame with a face if it differs from the one added last.
  public mutating func process(_ observation: FaceObservation) {
    guard observation.face != nil, let fingerprint = observation.fingerprint else { return }
    if let last = fingerprints.last, fingerprint.distance(to: last) < settings.step { return }
    if fingerprints.count == Self.most { fingerprints.removeFirst() }
    fingerprints.append(fingerprint)
  }

  /// `true` if there are enough fingerprints for a comparison.
  public var canBeCompared: Bool { count >= settings.fewest }

  /// Returns the number of frames of this check that match a frame of `earlier` or a blend of two consecutive ones.
  public func matches(in earlier: DistinctFrames) -> Int {
    guard earlier.count > 1 else { return 0 }
    let steps = zip(earlier.fingerprints, earlier.fingerprints.dropFirst()).map { first, last in
      (first: first, last: last, length: first.distance(to: last))
    }
    return fingerprints.count { fingerprint in
      steps.contains { step in
        // Rules out most frames at a small cost: no blend is farther from the first frame than the last frame is.
        guard fingerprint.leastDistance(to: step.first) <= step.length + settings.tolerance else { return false }
        // There is no movement between the frames before and after a cut, so they are not blended.
        guard step.length <= Self.longestBlend else {
          return fingerprint.distance(to: step.first) <= settings.tolerance
            || fingerprint.distance(to: step.last) <= settings.tolerance
        }
        return fingerprint.distance(toBlendOf: step.first, step.last) <= settings.tolerance
      }
    }
  }

  /// Maximum distance between two frames for which the face is assumed to have moved in a straight line between them.
  static let longestBlend: Float = 0.5

  /// Returns the finding for the largest number of frames that match one earlier check. Native measure: their fraction
  /// of this check's frames, or of ``ReplaySettings/base`` if there are fewer.
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

/// Settings for detecting repeated sequences of frames. The initializer validates every value.
public struct RepetitionSettings: Hashable, Sendable {
  /// Number of earlier frames that each frame is compared with, 32…1024; the time per frame is proportional.
  public let memory: Int
  /// Maximum difference between two presentations of one frame in any component of the signature, in eye distances, 0.0005…0.1.
  public let tolerance: Float
  /// Minimum movement in a repeated sequence, in eye distances, 0.05…10. A face at rest always resembles itself.
  public let minimumTravel: Float
  /// Number of consecutive frames repeated forward from which they are suspect, 4…200.
  public let longestStretch: Int
  /// Number of consecutive frames repeated in reverse from which they are suspect, 4…200. A nod is symmetric near its turning point.
  public let longestMirroredStretch: Int
  /// Minimum number of frames with a face for an assessment, 10…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    memory: Int = 256, tolerance: Float = 0.02, minimumTravel: Float = 0.2, longestStretch: Int = 10,
    longestMirroredStretch: Int = 15, minimumFrames: Int = 30
  ) {
    guard (32...1024).contains(memory), (0.0005...0.1).contains(tolerance), (0.05...10).contains(minimumTravel),
      (4...200).contains(longestStretch), (4...200).contains(longestMirroredStretch),
      (10...1000).contains(minimumFrames)
    else { return nil }
    self.memory = memory
    self.tolerance = tolerance
    self.minimumTravel = minimumTravel
    self.longestStretch = longestStretch
    self.longestMirroredStretch = longestMirroredStretch
    self.minimumFrames = minimumFrames
  }
}
