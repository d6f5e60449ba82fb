internal import MienScanFormat

/// Region of space that holds the subject of a scan: a cube around the point that the cameras faced.
public struct SubjectRegion: Hashable, Sendable {
  /// Center, in meters.
  public let center: SIMD3<Float>
  /// Half of an edge, in meters.
  public let radius: Float

  /// A head with its neck, from its front; the wall behind a person is farther away.
  private static let face: Float = 0.17
  /// Share of the distance: the object fills the center of the picture, which is about that wide to each side.
  private static let object: Float = 0.6

  init(center: SIMD3<Float>, radius: Float) {
    self.center = center
    self.radius = radius
  }

  /// - Parameter views: camera poses, and the distance of the subject in front of each, in meters.
  /// - Returns: nil for a room, which has no single subject, with fewer than five views, and if fewer than half of the
  ///   cameras faced the region.
  init?(_ views: [(pose: CameraPose, distance: Float)], of kind: ScanSubjectKind) {
    guard views.count >= 5 else { return nil }
    center = Self.center(of: views)
    switch kind {
    case .face: radius = Self.face
    case .object: radius = Self.object * Self.middle(views.map(\.distance))
    case .room: return nil
    }
    guard 2 * Self.targets(of: views).count(where: contains) >= views.count else { return nil }
  }

  /// Returns the median of the points that the cameras faced, each coordinate on its own.
  static func center(of views: [(pose: CameraPose, distance: Float)]) -> SIMD3<Float> {
    let targets = targets(of: views)
    return SIMD3(middle(targets.map(\.x)), middle(targets.map(\.y)), middle(targets.map(\.z)))
  }

  /// Returns the points that the cameras faced.
  private static func targets(of views: [(pose: CameraPose, distance: Float)]) -> [SIMD3<Float>] {
    views.map { $0.pose.position - $0.pose.back * $0.distance }
  }

  private static func middle(_ values: [Float]) -> Float { values.sorted()[values.count / 2] }

  public func contains(_ point: SIMD3<Float>) -> Bool {
    let offset = point - center
    return max(abs(offset.x), abs(offset.y), abs(offset.z)) <= radius
  }

  /// Returns the region of a z-up world rotated to y-up, as ``SurfaceMesh/rotatedToYUp()`` rotates the mesh.
  public func rotatedToYUp() -> SubjectRegion {
    SubjectRegion(center: SIMD3(center.x, center.z, -center.y), radius: radius)
  }
}

extension SurfaceMesh {
  /// Returns the box between the 2nd and the 98th percentile of the vertices' coordinates, which a few stray vertices do
  /// not stretch.
  ///
  /// - Parameter region: limits the vertices; without any of them in it, all are used.
  /// - Returns: nil without vertices.
  public func robustBounds(in region: SubjectRegion? = nil) -> (least: SIMD3<Float>, most: SIMD3<Float>)? {
    var points = region.map { region in positions.filter(region.contains) } ?? positions
    if points.isEmpty { points = positions }
    guard !points.isEmpty else { return nil }
    let ends = (points.count * 2 / 100, points.count - 1 - points.count * 2 / 100)
    func range(_ coordinate: (SIMD3<Float>) -> Float) -> (Float, Float) {
      let sorted = points.map(coordinate).sorted()
      return (sorted[ends.0], sorted[ends.1])
    }
    let (x, y, z) = (range(\.x), range(\.y), range(\.z))
    return (SIMD3(x.0, y.0, z.0), SIMD3(x.1, y.1, z.1))
  }
}
