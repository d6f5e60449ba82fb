import MienScanFormat
import MienReconstruction
import MienCore

/// Egg with a face: a surface with exactly known depth and landmarks from any viewpoint. In meters, y up, face toward
/// +z.
struct EggScene {
  static let radii = SIMD3<Float>(0.078, 0.112, 0.095)

  /// Positions of the face's points as (x, y) on the +z side.
  static let places: [FacePoint: SIMD2<Float>] = [
    .pupilRight: [-0.0315, 0.027], .pupilLeft: [0.0315, 0.027], .exocanthionRight: [-0.0445, 0.0265],
    .exocanthionLeft: [0.0445, 0.0265], .endocanthionRight: [-0.0165, 0.026], .endocanthionLeft: [0.0165, 0.026],
    .sellion: [0, 0.032], .pronasale: [0, -0.004], .subnasale: [0, -0.02], .alareRight: [-0.0175, -0.012],
    .alareLeft: [0.0175, -0.012], .cheilionRight: [-0.0245, -0.043], .cheilionLeft: [0.0245, -0.043],
    .menton: [0, -0.09],
  ]

  static func place(of point: FacePoint) -> SIMD3<Float> {
    guard let flat = places[point] else { preconditionFailure("every point has a place") }
    let (x, y) = (flat.x / radii.x, flat.y / radii.y)
    return [flat.x, flat.y, radii.z * (1 - x * x - y * y).squareRoot()]
  }

  static func length(of measure: FaceMeasure) -> Float {
    let arm = place(of: measure.ends.0) - place(of: measure.ends.1)
    return (arm * arm).sum().squareRoot()
  }

  let width: Int
  let height: Int
  let camera: PinholeIntrinsics
  /// Size of a depth step in meters.
  let step: Float

  init(width: Int = 256, height: Int = 192, focal: Float = 212, step: Float = 0.001) {
    (self.width, self.height, self.step) = (width, height, step)
    camera = PinholeIntrinsics(fx: focal, fy: focal, cx: Float(width) / 2 - 0.5, cy: Float(height) / 2 - 0.5)
  }

  var header: ScanHeader {
    guard
      let header = ScanHeader(
        device: "", sensor: .lidar, width: width, height: height, micrometersPerStep: Int(step * 1e6), world: .yUp,
        clock: .boot)
    else { preconditionFailure("the size fits") }
    return header
  }

  /// Renders a frame from `pose` with noise in meters, and without depth at pixels for which `isHole` returns `true`.
  func frame(
    from pose: CameraPose, noise: Float = 0, scale: Float = 1, using generator: inout SmoothNoise,
    isHole: (Int, Int) -> Bool = { _, _ in false }
  ) -> ScanFrame {
    var depth = [UInt16](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width where !isHole(x, y) {
        let way = pose.world(camera.point(u: Float(x), v: Float(y), distance: 1)) - pose.position
        let (o, d) = (pose.position / Self.radii, way / Self.radii)
        let (a, b, c) = ((d * d).sum(), (o * d).sum(), (o * o).sum() - 1)
        let root = b * b - a * c
        guard root > 0 else { continue }
        let distance = ((-b - root.squareRoot()) / a) * scale + (noise > 0 ? noise * generator.gaussian() : 0)
        depth[y * width + x] = UInt16((distance / step).rounded())
      }
    }
    guard
      let frame = ScanFrame(
        width: width, height: height, depth: depth, confidence: nil, pose: pose, intrinsics: camera,
        at: MonotonicInstant(nanoseconds: 0))
    else { preconditionFailure("the size fits") }
    return frame
  }

  /// Returns an image view of four times the size from `pose`, with Gaussian landmark noise of `jitter` meters per
  /// axis.
  func view(from pose: CameraPose, jitter: Float = 0, yaw: Float = 0, using generator: inout SmoothNoise)
    -> FaceMeasurer.View
  {
    var points = [SIMD3<Float>](repeating: .zero, count: Landmarks.count)
    let (width, height) = (width * 4, height * 4)
    let camera = PinholeIntrinsics(
      fx: camera.fx * 4, fy: camera.fy * 4, cx: Float(width) / 2 - 0.5, cy: Float(height) / 2 - 0.5)
    for point in FacePoint.allCases {
      var place = Self.place(of: point)
      if jitter > 0 { place += SIMD3(jitter * generator.gaussian(), jitter * generator.gaussian(), 0) }
      guard let pixel = camera.pixel(of: pose.camera(place)) else { continue }
      points[point.landmark] = [(pixel.x + 0.5) / Float(width), (pixel.y + 0.5) / Float(height), 0]
    }
    guard let landmarks = Landmarks(points) else { preconditionFailure("478 points") }
    return FaceMeasurer.View(
      landmarks: landmarks, head: HeadPose(yaw: yaw, pitch: 0, roll: 0), width: width, height: height, camera: camera,
      pose: pose)
  }
}
