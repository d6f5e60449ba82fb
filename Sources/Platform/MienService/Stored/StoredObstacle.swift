public import MienCore

/// An obstacle as one text in a column: its code, and after a colon what belongs to it.
public enum StoredObstacle {
  /// The text of an obstacle; ``read(_:)`` reads it.
  public static func text(_ obstacle: UnavailableReason) -> String {
    switch obstacle {
    case .modelUnavailable(let what): "\(obstacle.code):\(what)"
    case .severalFaces(let count), .tooFewFrames(let count): "\(obstacle.code):\(count)"
    case .noFace, .noDepth, .notEnrolled, .tooLittleValidDepth: obstacle.code
    }
  }

  /// Reads what ``text(_:)`` wrote; nil when it is something else.
  public static func read(_ text: String) -> UnavailableReason? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]) : nil
    return switch (parts.first, rest) {
    case ("model-unavailable", let what?): .modelUnavailable(what)
    case ("several-faces", let count?): Int(count).map { .severalFaces($0) }
    case ("too-few-frames", let count?): Int(count).map { .tooFewFrames($0) }
    case ("no-face", nil): .noFace
    case ("no-depth", nil): .noDepth
    case ("not-enrolled", nil): .notEnrolled
    case ("too-little-valid-depth", nil): .tooLittleValidDepth
    default: nil
    }
  }
}
