internal import MienDepth
internal import MienCore

/// A pinhole camera in doubles: scaled to another size and back, its values are the same floats again.
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

  /// The nearest floats.
  var rounded: PinholeIntrinsics { PinholeIntrinsics(fx: Float(fx), fy: Float(fy), cx: Float(cx), cy: Float(cy)) }

  /// The same camera for a picture of another size that shows the same.
  func scaled(
    from: (width: Double, height: Double), to: (width: Double, height: Double)
  ) -> DoublePrecisionIntrinsics {
    let (x, y) = (to.width / from.width, to.height / from.height)
    // Pictures of two sizes have their corners in common, not the middles of their first pixels.
    return DoublePrecisionIntrinsics(fx: fx * x, fy: fy * y, cx: (cx + 0.5) * x - 0.5, cy: (cy + 0.5) * y - 0.5)
  }

  /// A picture's size that was reckoned from floats: in whole pixels, as pictures are, where it is one but for rounding.
  static func image(_ size: (width: Double, height: Double)) -> (width: Double, height: Double) {
    func whole(_ side: Double) -> Double { abs(side - side.rounded()) < 0.01 ? side.rounded() : side }
    return (whole(size.width), whole(size.height))
  }
}

extension ScanHeader {
  /// The maps' size as cameras are scaled to it.
  var fineSize: (width: Double, height: Double) { (Double(width), Double(height)) }
}

extension PinholeIntrinsics {
  /// The same camera for a depth map that shows the same as a picture of another size.
  func scaled(from: (width: Double, height: Double), to header: ScanHeader) -> PinholeIntrinsics {
    DoublePrecisionIntrinsics(self).scaled(from: from, to: header.fineSize).rounded
  }
}
