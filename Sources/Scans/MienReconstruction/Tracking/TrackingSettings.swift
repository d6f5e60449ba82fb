public import MienScanFormat

/// Parameters for refining camera poses against the fused surface.
public struct TrackingSettings: Hashable, Sendable {
  /// Approximate number of points per map.
  public var points = 3000
  /// Maximum number of Gauss–Newton iterations; fewer if the pose converges.
  public var iterations = 10
  /// Minimum fraction of the points within the truncation band for a valid result.
  public var leastOverlap: Float = 0.3
  /// Maximum correspondence distance to the previous map, in meters; used without device poses.
  public var gate: Float = 0.03
  /// Standard deviation of a point, in meters, and the effective number of independent points, because errors of
  /// neighboring samples are correlated.
  public var pointNoise: Float = 0.003
  public var independentPoints: Float = 150
  /// Standard deviation of device poses, in meters and radians. Registration moves a pose within about this range.
  public var poseNoise: Float = 0.01
  public var turnNoise: Float = 0.01
  /// Maximum mean distance of the points to the surface, as a fraction of the truncation band, for accepting an initial
  /// pose; otherwise the map is first registered to the previous one.
  public var goodMisfit: Float = 0.35

  public init() {}

  /// Creates the defaults for a sensor. A LiDAR's points are accurate to a centimeter and correlated by its own
  /// smoothing; its device poses are better than that and are held to 3 mm and 3 mrad.
  public init(for sensor: ScanSensor) {
    guard sensor == .lidar else { return }
    pointNoise = 0.01
    independentPoints = 50
    poseNoise = 0.003
    turnNoise = 0.003
    gate = 0.1
  }
}
