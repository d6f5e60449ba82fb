import MienTestGenerators
import MienImaging
import Testing

@Suite struct `Square resampling` {
  /// Returns an image whose red is the column, whose green is the row and whose blue is 100.
  private func ramp(_ width: Int, _ height: Int) -> Frame {
    var frame = Frame(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        frame[x, y] = Pixel(red: UInt8(x), green: UInt8(y), blue: 100)
      }
    }
    return frame
  }

  private func sample(
    _ frame: Frame, _ square: RotatedRect, _ size: Int, _ border: EdgeMode,
    _ scaling: PixelScaling = PixelScaling(scale: 1, bias: 0)
  ) -> [Float] {
    var tensor = ContiguousArray<Float>(repeating: -7, count: 3 * size * size)
    var span = tensor.mutableSpan
    frame.resample(square, size: size, scaling: scaling, border: border, into: &span)
    return Array(tensor)
  }

  @Test func `an upright square at its own size is copied from its corner`() {
    let tensor = sample(ramp(20, 20), RotatedRect(center: SIMD2(9, 10), side: 8), 8, .zero)
    for row in 0..<8 {
      for column in 0..<8 {
        #expect(tensor[row * 8 + column] == Float(5 + column))
        #expect(tensor[64 + row * 8 + column] == Float(6 + row))
        #expect(tensor[128 + row * 8 + column] == 100)
      }
    }
  }

  @Test func `values are scaled and offset`() {
    let tensor = sample(ramp(9, 9), RotatedRect(center: SIMD2(4, 4), side: 2), 2, .zero, .minusOneToOne)
    #expect(abs(tensor[8] - (100 * 2 / 255 - 1)) < 1e-6)
  }

  @Test func `a quarter turn swaps columns and rows`() {
    // The square's own x axis points down in the image, its y axis to the left.
    let tensor = sample(ramp(20, 20), RotatedRect(center: SIMD2(10, 10), side: 8, axis: SIMD2(0, 1)), 8, .zero)
    for row in 0..<8 {
      for column in 0..<8 {
        #expect(tensor[row * 8 + column] == Float(14 - row))
        #expect(tensor[64 + row * 8 + column] == Float(6 + column))
      }
    }
  }

  @Test func `outside the image is black or the nearest pixel`() {
    let square = RotatedRect(center: SIMD2(0, 4), side: 8)
    let black = sample(ramp(9, 9), square, 8, .zero)
    let nearest = sample(ramp(9, 9), square, 8, .replicate)
    #expect(black[128] == 0)
    #expect(nearest[128] == 100)
    #expect(black[128 + 4] == 100)
    #expect(nearest[4 * 8] == 0)  // red is the column, and the nearest is column 0
    #expect(nearest[64 + 5 * 8] == 5)
  }

  @Test(arguments: 0..<40)
  func `any square agrees with a reference implementation`(seed: Int) {
    var generator = SplitMixGenerator(seed: UInt64(seed))
    let (width, height) = (Int.random(in: 1...90, using: &generator), Int.random(in: 1...90, using: &generator))
    var frame = Frame(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { frame[x, y] = Pixel(packed: UInt32.random(in: 0...UInt32.max, using: &generator)) }
    }
    let axis = SIMD2(Float.random(in: -1...1, using: &generator), Float.random(in: -1...1, using: &generator) + 1e-3)
    let square = RotatedRect(
      center: SIMD2(Float.random(in: -20...100, using: &generator), Float.random(in: -20...100, using: &generator)),
      side: Float.random(in: 1...150, using: &generator), axis: axis / (axis * axis).sum().squareRoot())
    let border: EdgeMode = seed.isMultiple(of: 2) ? .zero : .replicate
    let size = 17
    let tensor = sample(frame, square, size, border)
    for row in 0..<size {
      for column in 0..<size {
        let wanted = plain(frame, square.place(SIMD2(Float(column), Float(row)) / Float(size)), border)
        for channel in 0..<3 {
          let got = tensor[(channel * size + row) * size + column]
          #expect(abs(got - wanted[channel]) < 0.2, "row \(row), column \(column), channel \(channel)")
        }
      }
    }
  }

  /// Direct implementation of bilinear sampling.
  private func plain(_ frame: Frame, _ place: SIMD2<Float>, _ border: EdgeMode) -> SIMD3<Float> {
    let corner = place.rounded(.down)
    let part = place - corner
    var sum = SIMD3<Float>.zero
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
      let (x, y) = (Int(corner.x) + dx, Int(corner.y) + dy)
      let weight = (dx == 0 ? 1 - part.x : part.x) * (dy == 0 ? 1 - part.y : part.y)
      let isOutside = x < 0 || y < 0 || x >= frame.width || y >= frame.height
      if isOutside, border == .zero { continue }
      let pixel = frame[min(max(x, 0), frame.width - 1), min(max(y, 0), frame.height - 1)]
      sum += SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue)) * weight
    }
    return sum
  }
}
