internal import MienScanFormat
internal import MienCore

/// Pinhole intrinsics in double precision: scaling to another size and back yields the same `Float` values.
struct DoublePrecisionIntrinsics: Sendable {
  /// Focal lengths and principal point in pixels, as in ``PinholeIntrinsics``.
  let fx: Double
  let fy: Double
  let cx: Double
  let cy: Double

  init(fx: Double, fy: Double, cx: Double, cy: Double) {
    self.fx = fx
    self.fy = fy
    self.cx = cx
    self.cy = cy
  }

  init(_ camera: PinholeIntrinsics) {
    self.init(fx: Double(camera.fx), fy: Double(camera.fy), cx: Double(camera.cx), cy: Double(camera.cy))
  }

  /// The intrinsics rounded to single precision.
  var rounded: PinholeIntrinsics { PinholeIntrinsics(fx: Float(fx), fy: Float(fy), cx: Float(cx), cy: Float(cy)) }

  /// Returns the intrinsics for an image of another size with the same field of view.
  func scaled(
    from: (width: Double, height: Double), to: (width: Double, height: Double)
  ) -> DoublePrecisionIntrinsics {
    let (x, y) = (to.width / from.width, to.height / from.height)
    // Images of two sizes share their corners, not the centers of their first pixels.
    return DoublePrecisionIntrinsics(fx: fx * x, fy: fy * y, cx: (cx + 0.5) * x - 0.5, cy: (cy + 0.5) * y - 0.5)
  }

  /// Rounds an image size computed from floats to whole pixels if it is within the rounding error.
  static func image(_ size: (width: Double, height: Double)) -> (width: Double, height: Double) {
    func whole(_ side: Double) -> Double { abs(side - side.rounded()) < 0.01 ? side.rounded() : side }
    return (whole(size.width), whole(size.height))
  }
}

extension ScanHeader {
  /// Size of the maps, for scaling intrinsics.
  var fineSize: (width: Double, height: Double) { (Double(width), Double(height)) }
}

extension PinholeIntrinsics {
  /// Returns the intrinsics for a depth map with the same field of view as an image of another size.
  func scaled(from: (width: Double, height: Double), to header: ScanHeader) -> PinholeIntrinsics {
    DoublePrecisionIntrinsics(self).scaled(from: from, to: header.fineSize).rounded
  }
}
