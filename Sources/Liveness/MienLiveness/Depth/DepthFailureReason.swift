/// Threshold that a depth capture misses; the raw value is the stable reason of a `depth-gate` finding.
public enum DepthFailureReason: String, Hashable, Sendable, CaseIterable {
  case outOfRange = "out-of-range"
  case tooLittleValidDepth = "too-little-valid-depth"
  /// The face is planar.
  case flat = "flat"
  /// The face is curved in one direction only, like a bent sheet.
  case bentSheet = "bent-sheet"
  /// The nose does not protrude enough.
  case lowRelief = "low-relief"
  /// The center does not protrude enough relative to the rim.
  case lowCenter = "low-centre"
}
