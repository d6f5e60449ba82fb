import MienLiveness
import MienCore

/// Surface in front of a depth camera, given as height in millimeters above the mean distance.
struct SyntheticDepth {
  var distance = 400.0
  /// Slopes of the entire surface in millimeters per millimeter.
  var tilt = SIMD2(0.0, 0.0)
  /// Standard deviation of the sensor's noise in millimeters.
  var noise = 0.0
  /// Fractions of missing samples and of outliers.
  var holes = 0.0
  var specks = 0.0
  /// Height toward the camera at x (right) and y (down), in millimeters.
  var height: (_ x: Double, _ y: Double) -> Double = { _, _ in 0 }

  static let size = 120
  static let focal = 210.0

  func frame(_ generator: inout SeededGenerator, at: MonotonicInstant = .zero) -> DepthFrame? {
    var samples: [UInt16] = []
    samples.reserveCapacity(Self.size * Self.size)
    let middle = Double(Self.size) / 2
    for row in 0..<Self.size {
      for column in 0..<Self.size {
        let rayX = (Double(column) + 0.5 - middle) / Self.focal
        let rayY = (Double(row) + 0.5 - middle) / Self.focal
        var z = distance
        // The surface has no steep slopes: a few fixed-point iterations converge.
        for _ in 0..<4 { z = distance + tilt.x * rayX * z + tilt.y * rayY * z - height(rayX * z, rayY * z) }
        if noise > 0 { z += noise * Double(generator.normal()) }
        let chance = Double.random(in: 0...1, using: &generator)
        if chance < holes {
          samples.append(0)
        } else if chance < holes + specks {
          samples.append(.random(in: 1...UInt16.max, using: &generator))
        } else {
          samples.append(UInt16(min(max(z * 10, 1), 65_535)))
        }
      }
    }
    // A face of 150 × 190 mm around the center.
    let width = Float(150 * Self.focal / distance / Double(Self.size))
    let height = Float(190 * Self.focal / distance / Double(Self.size))
    let lens = PinholeIntrinsics(
      fx: Float(Self.focal), fy: Float(Self.focal), cx: Float(middle - 0.5), cy: Float(middle - 0.5))
    return DepthFrame(
      width: Self.size, height: Self.size, samples: samples, micrometersPerStep: 100, intrinsics: lens,
      face: FaceBox(x: 0.5 - width / 2, y: 0.5 - height / 2, width: width, height: height), at: at)
  }

  /// Measured on a coarser grid than the default, which suffices for synthetic surfaces and is faster in debug builds.
  func measures(_ generator: inout SeededGenerator) -> DepthMeasures? {
    guard let frame = frame(&generator), let coarse = DepthMeasuringSettings(grid: 30),
      case .measured(let measures) = DepthMeasurementResult(frame, settings: coarse)
    else { return nil }
    return measures
  }

  /// Returns a head: the front of an ellipsoid with nose, eye sockets and chin, `scale` times the ordinary size.
  static func face(noseHeight: Double = 20, scale: Double = 1) -> SyntheticDepth {
    func bump(_ x: Double, _ y: Double, _ wide: Double, _ high: Double) -> Double {
      let d = (x * x) / (wide * wide) + (y * y) / (high * high)
      // 1 / (1 + d)²: a smooth bump without an exponential function.
      return 1 / ((1 + d) * (1 + d))
    }
    var made = SyntheticDepth()
    made.height = { x, y in
      let (x, y) = (x / scale, y / scale)
      let around = max(0, 1 - (x * x) / (88 * 88) - (y * y) / (125 * 125))
      var height = 85 * around.squareRoot() - 85
      height += noseHeight * bump(x, y - 12, 17, 24)
      height -= 8 * (bump(x - 32, y + 22, 17, 14) + bump(x + 32, y + 22, 17, 14))
      height += 6 * bump(x, y - 80, 22, 14)
      return height * scale
    }
    return made
  }

  /// Returns a sheet bent around a cylinder with this radius and the axis (`axis.x`, `axis.y`).
  static func tube(radius: Double, axis: SIMD2<Double>) -> SyntheticDepth {
    let length = (axis * axis).sum().squareRoot()
    var made = SyntheticDepth()
    made.height = { x, y in
      let across = (x * axis.y - y * axis.x) / length
      return max(0, radius * radius - across * across).squareRoot() - radius
    }
    return made
  }

  /// Returns a sheet folded along a line, with a slope of `steepness` millimeters per millimeter on both sides.
  static func fold(steepness: Double, axis: SIMD2<Double>) -> SyntheticDepth {
    let length = (axis * axis).sum().squareRoot()
    var made = SyntheticDepth()
    made.height = { x, y in -steepness * abs(x * axis.y - y * axis.x) / length }
    return made
  }
}
