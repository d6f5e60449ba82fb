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
    coarse.writeSamples { target in
      var sums = sums.mutableSpan
      for y in 0..<height {
        for part in 0..<rows {
          let row = y * factor + part * factor / rows
          let line = samples.extracting(row * plane.width..<row * plane.width + width * factor)
          if part == 0 {
            for x in line.indices { sums[x] = UInt16(line[x]) }
          } else {
            for x in line.indices { sums[x] &+= UInt16(line[x]) }
          }
        }
        var at = 0
        for x in 0..<width {
          var sum: UInt32 = 0
          for _ in 0..<factor {
            sum &+= UInt32(sums[at])
            at += 1
          }
          target[y * width + x] = UInt8(truncatingIfNeeded: (sum + area / 2) / area)
        }
      }
    }
    return coarse
  }
}
