public import MienCore
internal import RealModule

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
