public import MienCore

/// Timing of session ownership (Documentation/operations/Scaling.md explains the values).
public enum LeaseTiming {
  /// Interval at which changed states are saved.
  public static let interval = Interval.milliseconds(250)
  /// Time after saving a session's state during which a server handles requests for it without saving it again.
  public static let lease = Interval.milliseconds(500)
  /// Time without saving after which another server may acquire a session. The difference from the lease is the time
  /// available to process a frame that arrived within the lease.
  public static let timeout = Interval.milliseconds(800)
  /// Minimum time for which an acquired performance is not evicted.
  public static let grace = Interval.seconds(10)
  /// Time after a check's deadline during which other servers leave its completion to its owner, which is the only one
  /// with its images.
  public static let courtesy = Interval.seconds(3)
}
