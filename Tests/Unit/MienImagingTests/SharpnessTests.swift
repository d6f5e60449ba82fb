import MienImaging
import Testing

@Suite struct `Sharpness` {
  /// Returns vertical stripes of a width in pixels, with edges blurred by `blur` pixels to either side.
  private func stripes(_ width: Int, blur: Int) throws -> Frame {
    let line = (0..<96).map { x -> Float in
      let around = (x - blur...x + blur).map { ($0 + 960) / width % 2 == 0 ? Float(40) : 200 }
      return around.reduce(0, +) / Float(around.count)
    }
    var pixels = ContiguousArray<Pixel>()
    for _ in 0..<64 {
      for value in line { pixels.append(Pixel(red: UInt8(value), green: UInt8(value), blue: UInt8(value))) }
    }
    return try #require(Frame(width: 96, height: 64, pixels: pixels))
  }

  @Test func `blurring reduces sharpness and a flat image has none`() throws {
    let measures = try [0, 1, 2, 4].map { try #require(try stripes(12, blur: $0).sharpness(x: 0..<96, y: 0..<64)) }
    #expect(zip(measures, measures.dropFirst()).allSatisfy { $0 > $1 * 1.2 })
    #expect(
      Frame(width: 20, height: 20, filledWith: Pixel(red: 9, green: 99, blue: 199)).sharpness(x: 0..<20, y: 0..<20) == 0
    )
  }

  @Test func `a single bright pixel gives 4 times its step, averaged over the region`() throws {
    var pixels = ContiguousArray(repeating: Pixel.black, count: 25)
    pixels[12] = Pixel(red: 255, green: 255, blue: 255)
    let frame = try #require(Frame(width: 5, height: 5, pixels: pixels))
    // 9 inner pixels: 4·255 in the center, 255 at its four neighbors.
    let measure = try #require(frame.sharpness(x: 0..<5, y: 0..<5))
    #expect(abs(measure - 8 * 255 / 9) < 0.5)
  }

  @Test(arguments: [(Float(-50), Float(-10)), (5, 5), (0.0, 0.5), (.nan, 5), (99, 120)])
  func `a region without inner pixels has no sharpness`(lower: Float, upper: Float) {
    let frame = Frame(width: 30, height: 1)
    #expect(frame.sharpness(x: 0..<30, y: 0..<1) == nil)
    guard lower <= upper else { return }
    #expect(Frame(width: 30, height: 30).sharpness(x: lower..<upper, y: 0..<30) == nil)
  }
}
