/// Evenly distributed sample of a depth map's points, in camera coordinates.
struct PointSample {
  var points: ContiguousArray<SIMD3<Float>> = []

  /// Samples about `wanted` points of the map.
  init(_ map: DepthMap, wanted: Int) {
    let valid = map.validCount
    guard valid > 0 else { return }
    // Every stride-th sample of every stride-th row, with rows shifted so that columns do not repeat.
    let stride = max(1, Int((Float(valid) / Float(wanted)).squareRoot().rounded()))
    points.reserveCapacity(wanted * 2)
    for y in Swift.stride(from: stride / 2, to: map.height, by: stride) {
      for x in Swift.stride(from: (y / stride) % stride, to: map.width, by: stride) {
        if let point = map.point(x: x, y: y) { points.append(point) }
      }
    }
  }
}
