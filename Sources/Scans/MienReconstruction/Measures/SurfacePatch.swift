internal import MienCore

/// Distance of a depth map at a subpixel position: a plane fitted to the surrounding samples without outliers.
struct SurfacePatch {
  /// Distance along the viewing axis at the position, in meters.
  let distance: Float
  /// Standard uncertainty of ``distance``, in meters.
  let uncertainty: Float

  /// Returns nil if there are too few samples within the largest radius.
  ///
  /// - Parameters:
  ///   - guess: approximate distance of the surface, in meters; it determines the radius in pixels.
  ///   - step: resolution of the map's samples, in meters.
  init?(_ map: DepthMap, x: Float, y: Float, guess: Float, step: Float, _ settings: FaceMeasureSettings) {
    guard x > -1, y > -1, x < Float(map.width), y < Float(map.height), guess > 0 else { return nil }
    for radius in settings.radii {
      // At least the eight neighbors, whatever the map's resolution.
      let pixels = min(max(radius * map.intrinsics.fx / guess, 1.5), 64)
      guard let plane = Self.plane(map, x: x, y: y, pixels: pixels, fewest: settings.fewestSamples) else { continue }
      distance = plane.distance
      let reach = pixels * guess / map.intrinsics.fx
      let leaves = reach * reach / (2 * settings.curvature)
      // On a surface facing the camera, rounding to steps affects all samples equally, so it does not average out.
      let rounding = step * step / 12
      uncertainty = (plane.variance + leaves * leaves + rounding).squareRoot()
      return
    }
    return nil
  }

  private static func plane(
    _ map: DepthMap, x: Float, y: Float, pixels: Float, fewest: Int
  ) -> (distance: Float, variance: Float)? {
    var samples: [SIMD3<Float>] = []
    let rows = max(0, Int((y - pixels).rounded(.up)))...max(0, min(map.height - 1, Int(y + pixels)))
    let columns = max(0, Int((x - pixels).rounded(.up)))...max(0, min(map.width - 1, Int(x + pixels)))
    for row in rows {
      for column in columns {
        let (across, down) = (Float(column) - x, Float(row) - y)
        let meters = map.meters[row * map.width + column]
        if meters > 0, across * across + down * down <= pixels * pixels { samples.append([across, down, meters]) }
      }
    }
    guard samples.count >= fewest else { return nil }
    // Removes samples far from the median first, then those far from the plane.
    let middle = Self.middle(samples.map(\.z))
    let spread = Self.middle(samples.map { abs($0.z - middle) })
    samples.removeAll { abs($0.z - middle) > 5 * spread + 0.002 }
    for _ in 0..<2 {
      guard samples.count >= fewest, let fit = fit(samples) else { return nil }
      let deviations = samples.map { abs($0.z - fit.x - fit.y * $0.x - fit.z * $0.y) }
      let rms = (deviations.reduce(0) { $0 + $1 * $1 } / Float(samples.count - 3)).squareRoot()
      let kept = zip(samples, deviations).filter { $0.1 <= 3 * rms }.map(\.0)
      if kept.count == samples.count { return (fit.x, rms * rms / Float(samples.count)) }
      samples = kept
    }
    guard samples.count >= fewest, let fit = fit(samples) else { return nil }
    let squares = samples.reduce(Float.zero) { sum, sample in
      let off = sample.z - fit.x - fit.y * sample.x - fit.z * sample.y
      return sum + off * off
    }
    return (fit.x, squares / Float(samples.count - 3) / Float(samples.count))
  }

  /// Returns the least-squares plane z = a + b x + c y as (a, b, c); nil if the samples are collinear, or if the
  /// position is so far outside of them that the plane would be extrapolated.
  private static func fit(_ samples: [SIMD3<Float>]) -> SIMD3<Float>? {
    let count = Double(samples.count)
    let mean = samples.reduce(SIMD3<Double>.zero) { $0 + SIMD3<Double>($1) } / count
    var (xx, xy, yy, xz, yz) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      let d = SIMD3<Double>(sample) - mean
      xx += d.x * d.x
      xy += d.x * d.y
      yy += d.y * d.y
      xz += d.x * d.z
      yz += d.y * d.z
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-3 * xx * yy, xx > 0, yy > 0 else { return nil }
    guard mean.x * mean.x <= 2 * xx / count, mean.y * mean.y <= 2 * yy / count else { return nil }
    let b = (xz * yy - yz * xy) / determinant
    let c = (yz * xx - xz * xy) / determinant
    return SIMD3<Float>(SIMD3<Double>(mean.z - b * mean.x - c * mean.y, b, c))
  }

  /// Returns the median of at least one value.
  static func middle(_ values: [Float]) -> Float {
    let sorted = values.sorted()
    let upper = sorted[sorted.count / 2]
    return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
  }
}
