public import MienCore

/// The column format of an unavailable reason: its code, followed by a colon and its associated value.
public enum StoredObstacle {
  /// Returns the text of a reason, which ``read(_:)`` parses.
  public static func text(_ obstacle: UnavailableReason) -> String {
    switch obstacle {
    case .modelUnavailable(let what): "\(obstacle.code):\(what)"
    case .severalFaces(let count), .tooFewFrames(let count): "\(obstacle.code):\(count)"
    case .noFace, .noDepth, .notEnrolled, .tooLittleValidDepth: obstacle.code
    }
  }

  /// Parses a text from ``text(_:)``; `nil` if it is invalid.
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
