import MienScanFormat
import MienReconstruction
import MienCore
import RealModule

/// Synthetic head with a known distance function, and a camera that moves around it: in meters, y up, face toward +z.
/// Surface and camera path are those of the peers' benchmark; FusionBenchmark compiles this file through a symbolic
/// link.
struct HeadScene {
  let width: Int
  let height: Int
  let camera: PinholeIntrinsics

  init(width: Int, height: Int, focal: Float) {
    self.width = width
    self.height = height
    camera = PinholeIntrinsics(fx: focal, fy: focal, cx: Float(width) / 2 - 0.5, cy: Float(height) / 2 - 0.5)
  }

  private struct Part {
    let center: SIMD3<Float>
    let radii: SIMD3<Float>
    let blend: Float
    let isHollow: Bool
  }

  private static let parts: [Part] = [
    Part(center: [0, 0.02, 0], radii: [0.075, 0.105, 0.09], blend: 0, isHollow: false),
    Part(center: [0, -0.055, 0.035], radii: [0.05, 0.045, 0.05], blend: 0.03, isHollow: false),
    Part(center: [0, -0.005, 0.098], radii: [0.013, 0.026, 0.022], blend: 0.012, isHollow: false),
    Part(center: [0, 0.035, 0.078], radii: [0.05, 0.010, 0.016], blend: 0.012, isHollow: false),
    Part(center: [0, -0.048, 0.082], radii: [0.022, 0.008, 0.010], blend: 0.008, isHollow: false),
    Part(center: [-0.032, 0.018, 0.092], radii: [0.016, 0.010, 0.012], blend: 0.008, isHollow: true),
    Part(center: [-0.076, 0.01, -0.005], radii: [0.010, 0.030, 0.018], blend: 0.008, isHollow: false),
    Part(center: [0.032, 0.018, 0.092], radii: [0.016, 0.010, 0.012], blend: 0.008, isHollow: true),
    Part(center: [0.076, 0.01, -0.005], radii: [0.010, 0.030, 0.018], blend: 0.008, isHollow: false),
    Part(center: [0, -0.15, -0.01], radii: [0.05, 0.10, 0.05], blend: 0.02, isHollow: false),
  ]

  /// Signed distance to the head in meters; a lower bound away from it.
  static func distance(_ point: SIMD3<Float>) -> Float {
    var total = Float.infinity
    for part in parts {
      let q = (point - part.center) / part.radii
      let k0 = (q * q).sum().squareRoot()
      let r = q / part.radii
      let own = k0 * (k0 - 1) / ((r * r).sum().squareRoot() + 1e-9)
      if part.blend == 0 {
        total = own
      } else if part.isHollow {
        total = -smooth(-total, own, part.blend)
      } else {
        total = smooth(total, own, part.blend)
      }
    }
    return total
  }

  private static func smooth(_ a: Float, _ b: Float, _ k: Float) -> Float {
    let h = min(max(0.5 + 0.5 * (b - a) / k, 0), 1)
    return b + (a - b) * h - k * h * (1 - h)
  }

  /// Returns the pose of frame `index` of `count`: yaw ±40°, pitch ±12°, at 0.30…0.34 m.
  static func pose(_ index: Int, of count: Int) -> CameraPose {
    let t = Float(index) / Float(count) * 2 * .pi
    let yaw = 40 * Float.pi / 180 * Float.sin(t)
    let pitch = 12 * Float.pi / 180 * Float.sin(2 * t + 0.5)
    let away = 0.32 + 0.02 * Float.sin(3 * t)
    let offset = SIMD3(
      away * Float.sin(yaw) * Float.cos(pitch), away * Float.sin(pitch), away * Float.cos(yaw) * Float.cos(pitch))
    return looking(from: offset + [0, -0.01, 0], at: [0, -0.01, 0])
  }

  static func looking(from eye: SIMD3<Float>, at target: SIMD3<Float>) -> CameraPose {
    let back = unit(eye - target)
    let right = unit(SIMD3(back.z, 0, -back.x))
    guard
      let pose = try? CameraPose(
        right: right,
        up: SIMD3(
          back.y * right.z - back.z * right.y, back.z * right.x - back.x * right.z,
          back.x * right.y - back.y * right.x), back: back, position: eye)
    else {
      preconditionFailure("not a rotation")
    }
    return pose
  }

  static func unit(_ v: SIMD3<Float>) -> SIMD3<Float> { v / (v * v).sum().squareRoot() }

  /// Renders the depth map from `pose`, with Gaussian noise of `noise` meters.
  func map(from pose: CameraPose, noise: Float, _ generator: inout SmoothNoise) -> DepthMap {
    let field = noise > 0 ? generator.field() : []
    var meters = ContiguousArray<Float>(repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        let ray = camera.point(u: Float(x), v: Float(y), distance: 1)
        let length = (ray * ray).sum().squareRoot()
        let way = (pose.world(ray) - pose.position) / length
        var s: Float = 0.12
        for _ in 0..<60 {
          let d = Self.distance(pose.position + way * s)
          s += 0.95 * d
          if abs(d) < 2e-5 {
            meters[y * width + x] = s / length + (noise > 0 ? noise * field[y * width + x] : 0)
            break
          }
          if s > 0.7 { break }
        }
      }
    }
    guard let map = DepthMap(width: width, height: height, meters: meters, intrinsics: camera) else {
      preconditionFailure("the size does not fit")
    }
    return map
  }
}

/// Noise of unit variance, slightly correlated between neighboring pixels as in a depth sensor; reproducible by seed.
struct SmoothNoise: RandomNumberGenerator {
  private var state: UInt64
  let width: Int
  let height: Int

  init(seed: UInt64, width: Int, height: Int) {
    state = seed
    self.width = width
    self.height = height
  }

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns the sum of four uniform numbers, which approximates a Gaussian.
  mutating func gaussian() -> Float {
    let bits = next()
    var sum: Float = 0
    for part in 0..<4 { sum += Float((bits >> (16 * part)) & 0xFFFF) / 65_536 - 0.5 }
    return sum * Float(3).squareRoot()
  }

  /// Returns one field of noise, smoothed by a binomial kernel.
  mutating func field() -> ContiguousArray<Float> {
    var raw = ContiguousArray<Float>(repeating: 0, count: width * height)
    for index in raw.indices { raw[index] = gaussian() }
    var once = raw
    for y in 0..<height {
      for x in 0..<width {
        let row = y * width
        once[row + x] = 0.5 * raw[row + x] + 0.25 * (raw[row + max(x - 1, 0)] + raw[row + min(x + 1, width - 1)])
      }
    }
    // A kernel of ¼ ½ ¼ reduces the variance to 3/8 in each direction.
    for y in 0..<height {
      for x in 0..<width {
        let sides = once[max(y - 1, 0) * width + x] + once[min(y + 1, height - 1) * width + x]
        raw[y * width + x] = (0.5 * once[y * width + x] + 0.25 * sides) * 8 / 3
      }
    }
    return raw
  }
}
