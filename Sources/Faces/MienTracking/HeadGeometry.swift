import Foundation
import MienCore

/// Computes the head pose by fitting the canonical face to landmarks.
///
/// Follows MediaPipe (`face_geometry/libs/geometry_pipeline.cc`): a perspective camera with a 63° vertical field of
/// view; a weighted similarity Procrustes fit, repeated three times because the first scale determines the distance of
/// the face.
struct HeadGeometry: Sendable {
  private let anchors: [CanonicalFace.Anchor]
  private let totalWeight: Double
  private let center: SIMD3<Double>
  private let verticalFieldOfView = 63.0

  init(_ face: CanonicalFace) {
    anchors = face.anchors
    totalWeight = anchors.reduce(0) { $0 + $1.weight }
    center = anchors.reduce(SIMD3.zero) { $0 + $1.place * $1.weight } / totalWeight
  }

  /// Returns the pose for landmarks given as fractions of an image of `width` × `height` pixels; `nil` if they do not
  /// describe a face.
  func pose(_ landmarks: [SIMD3<Float>], width: Int, height: Int) -> HeadPose? {
    let nearHeight = 2 * tan(verticalFieldOfView * .pi / 360)
    let nearWidth = Double(width) * nearHeight / Double(height)
    let depth = landmarks[..<468].reduce(0) { $0 + Double($1.z) } * nearWidth / 468
    // On the near plane: x right, y up, z away from the camera.
    let onScreen = anchors.map { anchor in
      let point = landmarks[anchor.landmark]
      return SIMD3(
        (Double(point.x) - 0.5) * nearWidth, (0.5 - Double(point.y)) * nearHeight, Double(point.z) * nearWidth)
    }
    func metric(_ scale: Double) -> [SIMD3<Double>] {
      onScreen.map { point in
        let z = (point.z - depth + 1) / scale
        return SIMD3(point.x * z, point.y * z, -z)
      }
    }
    guard let first = fit(onScreen.map { SIMD3($0.x, $0.y, -$0.z) }), let second = fit(metric(first.scale)),
      let rotation = fit(metric(first.scale * second.scale))?.rotation
    else { return nil }
    // R = Ry(yaw) · Rx(−pitch) · Rz(roll), and R · (0, 0, 1) is the facing direction.
    let toDegrees = 180 / Double.pi
    let ahead = rotation.z
    let pose = HeadPose(
      yaw: Float(atan2(ahead.x, ahead.z) * toDegrees),
      pitch: Float(atan2(ahead.y, (ahead.x * ahead.x + ahead.z * ahead.z).squareRoot()) * toDegrees),
      roll: Float(atan2(rotation.x.y, rotation.y.y) * toDegrees))
    return pose.isPlausible ? pose : nil
  }

  /// Fits `targets ≈ scale · rotation · anchors + shift` (weighted similarity Procrustes).
  private func fit(_ targets: [SIMD3<Double>]) -> (scale: Double, rotation: Matrix3)? {
    var middle = SIMD3<Double>.zero
    for (anchor, target) in zip(anchors, targets) { middle += target * anchor.weight }
    middle /= totalWeight
    var covariance = Matrix3.zero
    for (anchor, target) in zip(anchors, targets) {
      covariance.add(outer: (target - middle) * anchor.weight, anchor.place - center)
    }
    guard let rotation = covariance.nearestRotation else { return nil }
    var (numerator, denominator) = (0.0, 0.0)
    for (anchor, target) in zip(anchors, targets) {
      let own = anchor.place - center
      numerator += anchor.weight * ((rotation * own) * target).sum()
      denominator += anchor.weight * (own * anchor.place).sum()
    }
    let scale = numerator / denominator
    return scale.isFinite && scale > 0 ? (scale, rotation) : nil
  }
}
