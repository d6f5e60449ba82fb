/// How a camera's pose is refined against what has been fused before.
public struct TrackingSettings: Hashable, Sendable {
  /// Points of a map that are compared, about.
  public var points = 3000
  /// Steps of Gauss and Newton at most; fewer when the pose stands still.
  public var iterations = 10
  /// Least fraction of the points that must lie within the volume's band for the result to be trusted.
  public var leastOverlap: Float = 0.3
  /// Points farther from the previous map than this do not belong together, in metres; where no poses are given.
  public var gate: Float = 0.03
  /// How exact a point is, in metres, and how many of the points are worth an independent one: a sensor's errors are
  /// shared by neighbours.
  public var pointNoise: Float = 0.003
  public var independentPoints: Float = 150
  /// How exact the device's own poses are: metres and radians. The surface moves a pose within about this.
  public var poseNoise: Float = 0.01
  public var turnNoise: Float = 0.01
  /// A start is good when the points' mean distance to the surface is less than this fraction of the volume's band;
  /// otherwise the map is first laid onto the one before.
  public var goodMisfit: Float = 0.35

  public init() {}

  /// What suits a sensor. A LiDAR's points are good to a centimetre and drawn together by its own smoothing, and the
  /// poses that come with it are better than that: they are held to 3 mm and 3 mrad.
  public init(for sensor: ScanSensor) {
    guard sensor == .lidar else { return }
    pointNoise = 0.01
    independentPoints = 50
    poseNoise = 0.003
    turnNoise = 0.003
    gate = 0.1
  }
}
