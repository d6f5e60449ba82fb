internal import MienCore
internal import MienScanFormat

/// Check of a registered depth map against the map before it: what one camera measures cannot lie in space through which
/// the other one saw farther.
///
/// Registration finds a nearby fit even if the camera moved too far between two maps. On a scene with flat or round
/// surfaces its residual stays small; the contradiction shows at everything else.
struct FreeSpaceCheck {
  /// Minimum depth in meters by which a point must lie in front of the other map's surface.
  let tolerance: Float
  /// Minimum depth as a fraction of the distance.
  private static let relativeTolerance: Float = 0.03

  /// Returns the fraction of the points of either map that the other one sees and that lie in its free space, the larger
  /// one of the two; nil if the maps hardly see each other.
  func contradiction(
    _ a: DepthMap, at poseA: CameraPose, _ b: DepthMap, at poseB: CameraPose, points: Int
  ) -> Float? {
    let (there, back) = (
      share(PointSample(b, wanted: points), at: poseB, in: a, at: poseA),
      share(PointSample(a, wanted: points), at: poseA, in: b, at: poseB)
    )
    guard let there, let back else { return nil }
    return max(there, back)
  }

  private func share(_ sample: PointSample, at pose: CameraPose, in map: DepthMap, at own: CameraPose) -> Float? {
    var (seen, contradicting) = (0, 0)
    for point in sample.points {
      let place = own.camera(pose.world(point))
      guard let pixel = map.intrinsics.pixel(of: place), let nearest = nearest(map, pixel) else { continue }
      seen += 1
      if -place.z < nearest - max(tolerance, Self.relativeTolerance * nearest) { contradicting += 1 }
    }
    guard seen * 10 >= sample.points.count, seen > 0 else { return nil }
    return Float(contradicting) / Float(seen)
  }

  /// Returns the least distance around a pixel, so that the edge of an object is no contradiction; nil if one of its
  /// neighbors was not measured.
  private func nearest(_ map: DepthMap, _ pixel: SIMD2<Float>) -> Float? {
    guard pixel.x >= 2, pixel.y >= 2, pixel.x < Float(map.width) - 3, pixel.y < Float(map.height) - 3 else {
      return nil
    }
    let (x, y) = (Int(pixel.x + 0.5), Int(pixel.y + 0.5))
    var least = Float.infinity
    for row in y - 1...y + 1 {
      for column in x - 1...x + 1 {
        let distance = map.meters[row * map.width + column]
        guard distance > 0 else { return nil }
        least = min(least, distance)
      }
    }
    return least
  }
}
