public import MienScanFormat

/// Kind of what a scan shows.
public enum ScanSubjectKind: String, Hashable, Sendable, CaseIterable {
  /// The face of a person.
  case face
  /// An object to walk around.
  case object
  /// A room, scanned from inside.
  case room
}

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

  /// Distances in meters at which the sensor measures such a subject well.
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
  /// Degrees around an object from which it was seen. A third of the circle may be missing, because many objects stand
  /// against a wall.
  public var around = Bounds(good: 240, bad: 90)
  /// Degrees of the horizon in a room that the camera faced.
  public var turned = Bounds(good: 300, bad: 120)

  /// Uses the distances recommended in the apps: for a face, 0.5 to 1 m for LiDAR and 0.25 to 0.5 m for the front camera.
  /// Objects may also be nearer or farther, within the sensor's range; a room is measured up to the sensor's range.
  public init(for sensor: ScanSensor, of kind: ScanSubjectKind = .face) {
    distance =
      switch (kind, sensor) {
      case (.face, .lidar): 0.5...1
      case (.face, .trueDepth): 0.25...0.5
      case (.face, .depthCamera), (.face, .unknown): 0.4...2
      case (.object, .lidar), (.object, .depthCamera), (.object, .unknown): 0.3...2.5
      case (.object, .trueDepth): 0.2...0.8
      case (.room, .lidar), (.room, .depthCamera), (.room, .unknown): 0.5...5
      case (.room, .trueDepth): 0.3...1.5
      }
  }
}
