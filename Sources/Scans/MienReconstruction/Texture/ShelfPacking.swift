/// Packs boxes into a rectangle: tallest first, in rows from left to right.
enum ShelfPacking {
  /// Returns the upper-left corners of the boxes and the number of pixel rows used; nil if they do not fit.
  static func place(_ boxes: [SIMD2<Int>], width: Int, height: Int) -> (corners: [SIMD2<Int>], rows: Int)? {
    var corners = [SIMD2<Int>](repeating: SIMD2(0, 0), count: boxes.count)
    let order = boxes.indices.sorted { (boxes[$1].y, boxes[$1].x, $0) < (boxes[$0].y, boxes[$0].x, $1) }
    var (x, y, depthMaps) = (0, 0, 0)
    for box in order {
      let size = boxes[box]
      guard size.x <= width, size.y <= height else { return nil }
      if x + size.x > width {
        (x, y, depthMaps) = (0, y + depthMaps, 0)
      }
      guard y + size.y <= height else { return nil }
      corners[box] = SIMD2(x, y)
      x += size.x
      depthMaps = max(depthMaps, size.y)
    }
    return (corners, y + depthMaps)
  }
}
