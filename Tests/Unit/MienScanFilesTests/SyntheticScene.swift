import Foundation
import MienCore
import MienScanFormat
import Testing

/// A ball on a floor, seen by a camera that moves around it, with values that only a careful conversion preserves:
/// varying intrinsics, a principal point off the center, low confidence at places with wrong depth.
struct SyntheticScene {
  static let (width, height) = (64, 48)
  let header: ScanHeader
  let frames: [ScanFrame]

  init(world: WorldAlignment = .yUp, micrometersPerStep: Int = 1000, count: Int = 12) throws {
    header = try #require(
      ScanHeader(
        device: "", sensor: .lidar, width: Self.width, height: Self.height, micrometersPerStep: micrometersPerStep,
        world: world, clock: .boot))
    frames = try (0..<count).map { number in
      let angle = Float(number) * 0.12
      let pose = try Self.pose(angle, world)
      let focal = 55 + 0.7 * Float(number % 3)
      let camera = PinholeIntrinsics(fx: focal, fy: focal + 0.25, cx: 32.4, cy: 22.75)
      var (depth, confidence): ([UInt16], [UInt8]) = ([], [])
      for v in 0..<Self.height {
        for u in 0..<Self.width {
          let ray = camera.ray(u, v)
          let isWrong = (u + 3 * v + number) % 11 == 0
          let meters = Self.distance(from: try Self.pose(angle, .yUp), ray) + (isWrong ? 0.2 : 0)
          let steps = (meters * 1e6 / Float(micrometersPerStep)).rounded()
          depth.append(steps <= 65_535 ? UInt16(steps) : 0)
          confidence.append(isWrong ? 0 : 2)
        }
      }
      return try #require(
        ScanFrame(
          width: Self.width, height: Self.height, depth: depth, confidence: confidence, pose: pose,
          intrinsics: camera, at: MonotonicInstant(nanoseconds: 4_000_000_123 + Int64(number) * 16_666_667)))
    }
  }

  /// Camera that looks at the ball from a meter away.
  private static func pose(_ angle: Float, _ world: WorldAlignment) throws -> CameraPose {
    let position = SIMD3<Float>(sin(angle), 0.7, cos(angle))
    let back = position / (position * position).sum().squareRoot()
    let side = SIMD3<Float>(back.z, 0, -back.x)
    let right = side / (side * side).sum().squareRoot()
    let up = SIMD3(
      back.y * right.z - back.z * right.y, back.z * right.x - back.x * right.z, back.x * right.y - back.y * right.x)
    func turned(_ v: SIMD3<Float>) -> SIMD3<Float> { world == .zUp ? [v.x, -v.z, v.y] : v }
    return try CameraPose(right: turned(right), up: turned(up), back: turned(back), position: turned(position))
  }

  /// Distance along the viewing axis to the ball or the floor.
  private static func distance(from pose: CameraPose, _ ray: SIMD3<Float>) -> Float {
    let way = pose.right * ray.x + pose.up * ray.y - pose.back
    var nearest: Float = 100
    // Floor below the ball, and the ball of 30 cm at the origin.
    if way.y < 0 { nearest = (-0.3 - pose.position.y) / way.y }
    let (a, b) = ((way * way).sum(), (way * pose.position).sum())
    let root = b * b - a * ((pose.position * pose.position).sum() - 0.09)
    if root > 0 { nearest = min(nearest, (-b - root.squareRoot()) / a) }
    return nearest
  }
}

extension PinholeIntrinsics {
  /// Ray through a pixel with x to the right, y up and a distance of one along the viewing axis.
  fileprivate func ray(_ u: Int, _ v: Int) -> SIMD3<Float> { [(Float(u) - cx) / fx, (cy - Float(v)) / fy, -1] }
}
