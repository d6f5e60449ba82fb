/// Settings for back-projecting landmarks onto depth, and the uncertainty of distances between them.
public struct FaceMeasureSettings: Hashable, Sendable {
  /// Filter for depth samples; a face's edge often has medium confidence.
  public var filter = DepthFilter(range: 0.1...3, leastConfidence: 1)
  /// Radii around a landmark, in meters, tried in ascending order until enough samples are found, because eyes often
  /// have holes.
  public var radii: [Float] = [0.003, 0.006, 0.012]
  /// Minimum number of samples for fitting a plane.
  public var fewestSamples = 6
  /// Radius of curvature of a face, in meters; at distance r from the landmark, the surface deviates from a plane by r²
  /// / (2 · curvature).
  public var curvature: Float = 0.06
  /// Standard error of a landmark's position along one direction, as a fraction of the interpupillary distance. It is
  /// the same in every view of a face and does not average out. The authors of the mesh model report points that are 3
  /// % off on average in a plane (arXiv:2006.10962), which is 2.4 % along one direction.
  public var placement: Float = 0.024
  /// Maximum head rotation away from the camera, in degrees; beyond it, landmarks are hidden behind the edge of the
  /// face.
  public var mostYaw: Float = 30
  public var mostPitch: Float = 25
  /// Plausible interpupillary distances, in meters. A face outside this range does not match the measured surface (an
  /// image of a face, or depth that does not belong to the image).
  public var pupils: ClosedRange<Float> = 0.035...0.09

  public init() {}
}
