/// What counts as good in a scan: the bounds between pass, warn and fail.
public struct ScanQualitySettings: Hashable, Sendable {
  /// Two bounds: up to the first it is good, beyond the second it is bad.
  public struct Bounds: Hashable, Sendable {
    public var good: Double
    public var bad: Double
    public init(good: Double, bad: Double) {
      self.good = good
      self.bad = bad
    }

    /// The grade of a value that is the better the larger it is (`good` above `bad`), or the smaller.
    func grade(_ value: Double) -> ScanFinding.Grade {
      if good >= bad { return value >= good ? .pass : value >= bad ? .warn : .fail }
      return value <= good ? .pass : value <= bad ? .warn : .fail
    }
  }

  /// Distances in metres at which the sensor measures a face well.
  public var distance: ClosedRange<Double>
  /// Share of frames whose middle lies at such a distance.
  public var inDistance = Bounds(good: 0.8, bad: 0.5)
  public var frames = Bounds(good: 30, bad: 10)
  /// Share of frames that are missing.
  public var lostFrames = Bounds(good: 0.01, bad: 0.1)
  /// Share of samples in the middle of the maps without a measurement.
  public var holes = Bounds(good: 0.05, bad: 0.25)
  /// Share of samples in the middle of the maps that the sensor is sure of.
  public var confidence = Bounds(good: 0.7, bad: 0.4)
  /// Share of frames with a pose.
  public var poses = Bounds(good: 0.98, bad: 0.8)
  /// Metres a second that 95 of 100 frames stay below.
  public var speed = Bounds(good: 0.5, bad: 1)
  /// Degrees a second that 95 of 100 frames stay below.
  public var turning = Bounds(good: 45, bad: 90)
  /// Degrees from the front beyond which a side counts as seen, and above the horizon for the top.
  public var side: Float = 35
  public var top: Float = 25

  /// Distances as users of the apps are told: 0.5 to 1 m for LiDAR, 0.25 to 0.5 m for the front camera.
  public init(for sensor: ScanSensor) {
    distance =
      switch sensor {
      case .lidar: 0.5...1
      case .trueDepth: 0.25...0.5
      case .depthCamera, .unknown: 0.4...2
      }
  }
}
