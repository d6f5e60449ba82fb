public import MienCore
internal import RealModule

/// Draws marks on an image that visualize what a detector or tracker measured.
public struct DebugOverlayRenderer: Sendable {
  /// The image with everything drawn so far.
  public private(set) var frame: Frame

  public init(_ frame: Frame) {
    self.frame = frame
  }

  /// Fills a disc; `center` and `radius` in pixels. The part outside the image is clipped.
  public mutating func drawDisc(at center: SIMD2<Float>, radius: Float, _ color: Pixel) {
    guard center.x.isFinite, center.y.isFinite, radius >= 0, radius < 10_000 else { return }
    guard let rows = Self.pixels(center.y - radius, center.y + radius, frame.height),
      let columns = Self.pixels(center.x - radius, center.x + radius, frame.width)
    else { return }
    for y in rows {
      for x in columns {
        let offset = SIMD2(Float(x), Float(y)) - center
        // Half a pixel larger, so that a disc of radius 0 still marks its pixel.
        if (offset * offset).sum() <= (radius + 0.5) * (radius + 0.5) { frame[x, y] = color }
      }
    }
  }

  /// Draws a straight line; `width` in pixels.
  public mutating func drawLine(
    from start: SIMD2<Float>, to end: SIMD2<Float>, width: Float = 1, _ color: Pixel
  ) {
    let delta = end - start
    let length = max(abs(delta.x), abs(delta.y))
    guard length.isFinite, length < 100_000 else { return }
    let steps = Int(length.rounded(.up))
    for step in 0...steps {
      let part = steps == 0 ? 0 : Float(step) / Float(steps)
      // Rounded to whole pixels, so that a thin line has no gaps.
      drawDisc(at: (start + delta * part).rounded(.toNearestOrEven), radius: max(0, (width - 1) / 2), color)
    }
  }

  /// Draws the outline of an upright rectangle.
  public mutating func drawRectangle(
    from first: SIMD2<Float>, to last: SIMD2<Float>, width: Float = 1, _ color: Pixel
  ) {
    let corners = [first, SIMD2(last.x, first.y), last, SIMD2(first.x, last.y)]
    for (corner, next) in zip(corners, corners[1...] + [first]) {
      drawLine(from: corner, to: next, width: width, color)
    }
  }

  private static func pixels(_ lower: Float, _ upper: Float, _ size: Int) -> ClosedRange<Int>? {
    let first = max(lower.rounded(.down), 0)
    let last = min(upper.rounded(.up), Float(size - 1))
    return first <= last ? Int(first)...Int(last) : nil
  }
}

extension DebugOverlayRenderer {
  /// Draws an observation: the box (yellow), the points (green), the outline (white), and the head's axes at the nose:
  /// to the subject's left (red), up (green), forward (blue).
  public mutating func draw(_ observation: FaceObservation) {
    guard let face = observation.face else { return }
    let size = SIMD2(Float(frame.width), Float(frame.height))
    func place(_ index: Int) -> SIMD2<Float> {
      let point = face.landmarks.points[index]
      return SIMD2(point.x, point.y) * size
    }
    let first = SIMD2(face.box.x, face.box.y) * size
    let last = first + SIMD2(face.box.width, face.box.height) * size
    let stroke = max(1, (size.min() / 300).rounded())
    drawRectangle(from: first, to: last, width: stroke, Pixel(red: 255, green: 220, blue: 0))
    for index in 0..<Landmarks.count {
      drawDisc(at: place(index), radius: (last - first).max() / 400, Pixel(red: 60, green: 255, blue: 90))
    }
    let outline = Landmarks.outlineIndices
    for (index, next) in zip(outline, outline[1...] + [outline[0]]) {
      drawLine(from: place(index), to: place(next), width: stroke, Pixel(red: 255, green: 255, blue: 255))
    }
    let nose = place(1)
    for (axis, color) in zip(Self.axes(face.pose), Self.axisColors) {
      drawLine(from: nose, to: nose + axis * (last - first).max() / 2, width: 2 * stroke, color)
    }
  }

  private static let axisColors = [
    Pixel(red: 255, green: 60, blue: 40), Pixel(red: 40, green: 230, blue: 40), Pixel(red: 70, green: 120, blue: 255),
  ]

  /// Returns the columns of R = Ry(yaw) · Rx(−pitch) · Rz(roll) projected onto the image, whose y axis points down.
  private static func axes(_ pose: HeadPose) -> [SIMD2<Float>] {
    let toRadians = Float.pi / 180
    let (sinYaw, cosYaw) = (Float.sin(pose.yaw * toRadians), Float.cos(pose.yaw * toRadians))
    let (sinPitch, cosPitch) = (Float.sin(pose.pitch * toRadians), Float.cos(pose.pitch * toRadians))
    let (sinRoll, cosRoll) = (Float.sin(pose.roll * toRadians), Float.cos(pose.roll * toRadians))
    let left = SIMD2(cosYaw * cosRoll - sinYaw * sinPitch * sinRoll, cosPitch * sinRoll)
    let up = SIMD2(-cosYaw * sinRoll - sinYaw * sinPitch * cosRoll, cosPitch * cosRoll)
    let ahead = SIMD2(sinYaw * cosPitch, sinPitch)
    return [left, up, ahead].map { $0 * SIMD2(1, -1) }
  }
}
