import MienImaging

/// The whole picture made small by a whole factor.
enum CoarsePlane {
  /// Boxes are averaged; the short side gets at least `side` and less than twice as many samples.
  ///
  /// - Precondition: no side of `plane` is below `side`.
  static func make(_ plane: Plane, side: Int) -> Plane {
    let factor = min(plane.width, plane.height) / side
    guard factor > 1 else { return plane }
    let (width, height) = (plane.width / factor, plane.height / factor)
    var coarse = Plane()
    coarse.reshape(width: width, height: height)
    var sums = ContiguousArray<UInt16>(repeating: 0, count: width * factor)
    // Of large boxes a few rows are enough: what is left of noise is below a grey level.
    let rows = min(factor, 4)
    let area = UInt32(rows * factor)
    let samples = plane.samples.span
    let used = width * factor
    // Exact for sums of fewer than 4096 samples: a division of each would cost more than all the rest.
    let inverse = (UInt64(1) << 32) / UInt64(area) + 1
    precondition(area < 4096, "a picture of a million pixels a side")
    coarse.writeSamples { target in
      var whole = sums.mutableSpan
      var sums = whole._mutatingExtracting(0..<used)
      for y in 0..<height {
        for part in 0..<rows {
          let row = y * factor + part * factor / rows
          let line = samples.extracting(row * plane.width..<row * plane.width + used)
          if part == 0 {
            for x in 0..<used { sums[x] = UInt16(line[x]) }
          } else {
            for x in 0..<used { sums[x] &+= UInt16(line[x]) }
          }
        }
        for x in 0..<width {
          let box = sums.span.extracting(x * factor..<x * factor + factor)
          var sum: UInt32 = 0
          for index in 0..<factor { sum &+= UInt32(box[index]) }
          target[y * width + x] = UInt8(truncatingIfNeeded: (UInt64(sum &+ area / 2) &* inverse) &>> 32)
        }
      }
    }
    return coarse
  }
}
