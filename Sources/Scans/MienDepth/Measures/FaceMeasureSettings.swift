/// How landmarks are lifted onto depth and how sure the distances between them are.
public struct FaceMeasureSettings: Hashable, Sendable {
  /// Samples that count; a face's edge is often of medium confidence.
  public var filter = DepthFilter(range: 0.1...3, leastConfidence: 1)
  /// Radii about a landmark, in metres, that are tried in turn until enough samples are found: eyes often have holes.
  public var radii: [Float] = [0.003, 0.006, 0.012]
  /// Fewest samples that a plane is laid through.
  public var fewestSamples = 6
  /// The radius of a face's curvature, in metres: over r it leaves a plane by r² / 2 of it.
  public var curvature: Float = 0.06
  /// Standard error of a landmark's place along one direction, as a fraction of the distance between the pupils. It is
  /// the same in every view of a face and does not average out. The authors of the mesh model found points 3 % off in
  /// the mean over a plane (arXiv:2006.10962), which is 2.4 % along one direction.
  public var placement: Float = 0.024
  /// Largest turns of the head away from the camera, in degrees: beyond them landmarks lie behind the face's edge.
  public var mostYaw: Float = 30
  public var mostPitch: Float = 25
  /// How far apart pupils are, in metres: a face whose depth says otherwise is not the surface that was measured
  /// (a picture of a face, or depth that does not belong to the picture).
  public var pupils: ClosedRange<Float> = 0.035...0.09

  public init() {}
}
