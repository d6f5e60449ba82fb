internal import MienScanFormat

/// Estimates the unit of a COLMAP model from its depth maps.
///
/// A model made of images alone has no unit. Its 3-D points have a distance from each camera, and a depth map has that
/// distance in meters: the quotient is the unit.
struct COLMAPScale {
  private var quotients: [Double] = []

  /// Adds the points of an image.
  ///
  /// - Parameters:
  ///   - map: depth map of the image in meters, 0 for none.
  ///   - size: size of the image in whose pixels the points are.
  mutating func add(
    _ image: COLMAPModel.Image, _ points: [Int64: SIMD3<Double>], size: (width: Double, height: Double),
    map: (width: Int, height: Int, meters: [Float])
  ) {
    for observation in image.observations {
      guard let point = points[observation.point] else { continue }
      let distance = image.camera(point).z
      let u = (observation.u / size.width * Double(map.width)).rounded(.down)
      let v = (observation.v / size.height * Double(map.height)).rounded(.down)
      guard distance > 0, distance.isFinite, u >= 0, v >= 0, u < Double(map.width), v < Double(map.height) else {
        continue
      }
      let meters = Double(map.meters[Int(v) * map.width + Int(u)])
      if meters > 0 { quotients.append(meters / distance) }
    }
  }

  /// Meters per unit of the model; nil if there are too few points, or if they contradict each other.
  var meters: Double? {
    guard quotients.count >= Self.leastPoints else { return nil }
    let sorted = quotients.sorted()
    let middle = sorted[sorted.count / 2]
    // Half of the points within a tenth: others are at edges of objects, or wrong.
    let (low, high) = (sorted[sorted.count / 4], sorted[sorted.count * 3 / 4])
    return middle.isFinite && (1e-4...1e4).contains(middle) && high - low < 0.2 * middle ? middle : nil
  }

  private static let leastPoints = 30
}
