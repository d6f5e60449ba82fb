internal import Foundation
public import MienCore

/// 4×4 transform with Apple's column layout: three axes and the translation in meters.
public struct TransformMatrix: Hashable, Sendable {
  public var x: SIMD4<Float>
  public var y: SIMD4<Float>
  public var z: SIMD4<Float>
  public var place: SIMD4<Float>

  public init(_ x: SIMD4<Float>, _ y: SIMD4<Float>, _ z: SIMD4<Float>, _ place: SIMD4<Float>) {
    (self.x, self.y, self.z, self.place) = (x, y, z, place)
  }

  public static let identity = TransformMatrix([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1])

  /// Matrix product: applies `right` first, then `left`.
  public static func * (left: TransformMatrix, right: TransformMatrix) -> TransformMatrix {
    TransformMatrix(left * right.x, left * right.y, left * right.z, left * right.place)
  }

  static func * (left: TransformMatrix, column: SIMD4<Float>) -> SIMD4<Float> {
    left.x * column.x + left.y * column.y + left.z * column.z + left.place * column.w
  }

  /// Inverse transform, or `nil` if the transform is not rigid.
  public var inverted: TransformMatrix? {
    guard isRigid else { return nil }
    let arm = SIMD3(place.x, place.y, place.z)
    func back(_ axis: SIMD4<Float>) -> Float { -(SIMD3(axis.x, axis.y, axis.z) * arm).sum() }
    return TransformMatrix(
      SIMD4(x.x, y.x, z.x, 0), SIMD4(x.y, y.y, z.y, 0), SIMD4(x.z, y.z, z.z, 0), SIMD4(back(x), back(y), back(z), 1))
  }

  /// `true` if all numbers are finite, the axes are those of a rotation within 0.01, and the last row is 0 0 0 1.
  var isRigid: Bool {
    let axes = [x, y, z].map { SIMD3($0.x, $0.y, $0.z) }
    for (row, a) in axes.enumerated() {
      for (column, b) in axes.enumerated() {
        let product = (a * b).sum() - (row == column ? 1 : 0)
        guard product.isFinite, abs(product) < 0.01 else { return false }
      }
    }
    let across = SIMD3(
      axes[0].y * axes[1].z - axes[0].z * axes[1].y, axes[0].z * axes[1].x - axes[0].x * axes[1].z,
      axes[0].x * axes[1].y - axes[0].y * axes[1].x)
    guard (across * axes[2]).sum() > 0 else { return false }
    return abs(x.w) < 0.01 && abs(y.w) < 0.01 && abs(z.w) < 0.01 && abs(place.w - 1) < 0.01
      && place.x.isFinite && place.y.isFinite && place.z.isFinite
  }
}

extension HeadPose {
  /// Creates the pose of a face from its transform to upright camera coordinates.
  ///
  /// ARKit's face has x to the face's own left, y up and z out of the nose; the camera x to the right of an unmirrored
  /// image, y up and z toward the viewer. A face that looks straight into the camera has the identity as its rotation.
  /// The angles are those of R = Ry(yaw) · Rx(−pitch) · Rz(roll), see ``HeadPose``.
  ///
  /// - Parameter columns: transform from face to camera coordinates, rotated so that y is up in the displayed image.
  /// - Returns: `nil` if the transform is not rigid.
  public init?(faceToCamera columns: TransformMatrix) {
    guard columns.isRigid else { return nil }
    func degrees(_ y: Float, _ x: Float) -> Float { atan2(y, x) * 180 / .pi }
    let nose = columns.z
    self.init(
      yaw: degrees(nose.x, nose.z), pitch: degrees(nose.y, (nose.x * nose.x + nose.z * nose.z).squareRoot()),
      roll: degrees(columns.x.y, columns.y.y))
  }
}
