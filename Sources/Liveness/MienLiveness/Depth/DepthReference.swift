/// What the depth gate of one check can rest on.
public enum DepthReference: Hashable, Sendable {
  /// The source brings no depth.
  case noDepth
  /// The source brings depth, but the person has no thresholds of their own.
  case notEnrolled
  case enrolled(DepthThresholds)
}
