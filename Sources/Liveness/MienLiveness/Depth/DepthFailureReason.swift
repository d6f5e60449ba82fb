/// Which threshold a depth capture misses; the raw value is the stable reason of a `depth-gate` finding.
public enum DepthFailureReason: String, Hashable, Sendable, CaseIterable {
  case outOfRange = "out-of-range"
  case tooLittleValidDepth = "too-little-valid-depth"
  /// The face lies in a plane.
  case flat = "flat"
  /// The face is curved in one direction only, as a bent sheet is.
  case bentSheet = "bent-sheet"
  /// The nose does not stand out.
  case lowRelief = "low-relief"
  /// The middle does not stand out before the rim.
  case lowCenter = "low-centre"
}
