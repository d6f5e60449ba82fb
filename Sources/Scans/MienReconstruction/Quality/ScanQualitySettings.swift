public import MienScanFormat

/// Quality criteria of a scan: the bounds between pass, warn and fail.
public struct ScanQualitySettings: Hashable, Sendable {
  /// Two bounds: values up to the first are good, beyond the second bad.
  public struct Bounds: Hashable, Sendable {
    public var good: Double
    public var bad: Double
    public init(good: Double, bad: Double) {
      self.good = good
      self.bad = bad
    }

    /// Grades a value; higher is better if `good` is at least `bad`, otherwise lower is better.
    func grade(_ value: Double) -> ScanFinding.Grade {
      if good >= bad { return value >= good ? .pass : value >= bad ? .warn : .fail }
      return value <= good ? .pass : value <= bad ? .warn : .fail
    }
  }

  /// Distances in meters at which the sensor measures a face well.
  public var distance: ClosedRange<Double>
  /// Share of frames with the subject in this range.
  public var inDistance = Bounds(good: 0.8, bad: 0.5)
  public var frames = Bounds(good: 30, bad: 10)
  /// Share of missing frames.
  public var lostFrames = Bounds(good: 0.01, bad: 0.1)
  /// Share of samples in the center of the maps without a measurement.
  public var holes = Bounds(good: 0.05, bad: 0.25)
  /// Share of samples in the center of the maps with high confidence.
  public var confidence = Bounds(good: 0.7, bad: 0.4)
  /// Share of frames with a pose.
  public var poses = Bounds(good: 0.98, bad: 0.8)
  /// 95th percentile of the speed, in meters per second.
  public var speed = Bounds(good: 0.5, bad: 1)
  /// 95th percentile of the rotation speed, in degrees per second.
  public var turning = Bounds(good: 45, bad: 90)
  /// Degrees from the front from which a side counts as covered, and degrees above the horizon for the top.
  public var side: Float = 35
  public var top: Float = 25

  /// Uses the distances recommended in the apps: 0.5 to 1 m for LiDAR, 0.25 to 0.5 m for the front camera.
  public init(for sensor: ScanSensor) {
    distance =
      switch sensor {
      case .lidar: 0.5...1
      case .trueDepth: 0.25...0.5
      case .depthCamera, .unknown: 0.4...2
      }
  }
}
