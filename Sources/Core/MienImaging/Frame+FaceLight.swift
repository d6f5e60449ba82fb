public import MienCore
internal import RealModule

extension Frame {
  /// Landmarks around which each part of a face is measured, away from hair, eyes, beard and the rims of glasses.
  private static let parts: [(landmarks: [Int], radius: Float)] = [
    ([151, 9], 0.13), ([1, 5], 0.1), ([50, 205], 0.13), ([280, 425], 0.13),
  ]

  /// Measures the colors of the face and of the picture around it.
  ///
  /// Every part is sampled at no more than about 450 pixels. Pixels with a channel near its limits are left out, because the
  /// ratios of their channels are not those of the light.
  ///
  /// - Parameter landmarks: fractions of this image, as returned by the tracker.
  public func light(at landmarks: Landmarks) -> FaceLight {
    let points = landmarks.points
    let size = SIMD2(Float(width), Float(height))
    func place(_ index: Int) -> SIMD2<Float> { SIMD2(points[index].x, points[index].y) * size }
    let eyes = place(263) - place(33)
    let distance = (eyes * eyes).sum().squareRoot()
    func part(_ number: Int) -> SIMD3<Float> {
      let (landmarks, radius) = Self.parts[number]
      var mean = LinearMean()
      for index in landmarks {
        let point = place(index)
        guard point.x.isFinite, point.y.isFinite, distance.isFinite else { continue }
        let reach = max(1.5, radius * distance)
        mean.add(self, x: point.x - reach..<point.x + reach, y: point.y - reach..<point.y + reach, side: 15)
      }
      return mean.value(ofAtLeast: 0.5)
    }
    return FaceLight(
      forehead: part(0), nose: part(1), rightCheek: part(2), leftCheek: part(3),
      background: background(around: landmarks))
  }

  /// Returns the mean color of the margin beside and above the head; NaN if the head fills the image.
  private func background(around landmarks: Landmarks) -> SIMD3<Float> {
    var (first, last) = (SIMD2(repeating: Float.infinity), SIMD2(repeating: -Float.infinity))
    for index in Landmarks.outlineIndices {
      let point = SIMD2(landmarks.points[index].x, landmarks.points[index].y)
      first = pointwiseMin(first, point)
      last = pointwiseMax(last, point)
    }
    let size = SIMD2(Float(width), Float(height))
    let face = (last - first) * size
    // Hair and ears are nearer to the screen than a wall is, and shoulders move: neither belongs to the background.
    let left = first.x * size.x - 0.3 * face.x
    let right = last.x * size.x + 0.3 * face.x
    let top = first.y * size.y - 0.45 * face.y
    let bottom = last.y * size.y - 0.25 * face.y
    guard left.isFinite, right.isFinite, top.isFinite, bottom.isFinite else { return SIMD3(repeating: .nan) }
    var mean = LinearMean()
    mean.add(self, x: 0..<max(left, 0), y: 0..<max(bottom, 0), side: 20)
    mean.add(self, x: min(right, size.x)..<size.x, y: 0..<max(bottom, 0), side: 20)
    mean.add(self, x: max(left, 0)..<max(min(right, size.x), left, 0), y: 0..<max(top, 0), side: 20)
    return mean.sampled < 60 ? SIMD3(repeating: .nan) : mean.value(ofAtLeast: 0.3)
  }
}

/// Mean of pixels in linear light.
private struct LinearMean {
  /// sRGB values as linear light.
  private static let linear: [Float] = (0...255).map { value in
    let share = Double(value) / 255
    return Float(share <= 0.04045 ? share / 12.92 : Double.pow((share + 0.055) / 1.055, 2.4))
  }

  private var sum = SIMD3<Float>.zero
  private var count = 0
  /// Number of pixels, including those that were left out.
  private(set) var sampled = 0

  /// Adds the pixels of a region at no more than about `side` × `side` positions.
  mutating func add(_ frame: Frame, x: Range<Float>, y: Range<Float>, side: Int) {
    guard let columns = Frame.clamped(x, to: frame.width), let rows = Frame.clamped(y, to: frame.height) else { return }
    let columnStep = max(1, columns.count / side)
    let rowStep = max(1, rows.count / side)
    let span = frame.pixels.span
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: rowStep) {
      let row = span.extracting(y * frame.width..<(y + 1) * frame.width)
      for x in stride(from: columns.lowerBound, to: columns.upperBound, by: columnStep) {
        let pixel = row[x]
        sampled += 1
        let (low, high) = (min(pixel.red, pixel.green, pixel.blue), max(pixel.red, pixel.green, pixel.blue))
        guard low >= 6, high <= 250 else { continue }
        sum += SIMD3(
          Self.linear[Int(pixel.red)], Self.linear[Int(pixel.green)], Self.linear[Int(pixel.blue)])
        count += 1
      }
    }
  }

  /// Returns the mean, or NaN if less than a share of the pixels was usable.
  func value(ofAtLeast share: Float) -> SIMD3<Float> {
    guard count > 0, Float(count) >= share * Float(sampled) else { return SIMD3(repeating: .nan) }
    return sum / Float(count)
  }
}
