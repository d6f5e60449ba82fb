/// Reference data for the depth gate of one check.
public enum DepthReference: Hashable, Sendable {
  /// The source provides no depth.
  case noDepth
  /// The source provides depth, but the subject has no personal thresholds.
  case notEnrolled
  case enrolled(DepthThresholds)
}
