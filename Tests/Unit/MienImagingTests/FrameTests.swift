import MienImaging
import Testing

@Suite struct `Frame values` {
  @Test func `reshaping keeps the pixel count`() {
    var frame = Frame()
    for (width, height) in [(4, 3), (2, 2), (10, 1), (0, 5), (7, 7)] {
      frame.reshape(width: width, height: height)
      #expect(frame.pixels.count == width * height)
      #expect(frame.width == width)
      #expect(frame.height == height)
    }
  }

  @Test func `a pixel count that does not match the size is rejected`() {
    #expect(Frame(width: 2, height: 2, pixels: [.black, .black, .black]) == nil)
    #expect(Frame(width: 1, height: 2, pixels: [.black, .black]) != nil)
  }

  @Test func `printing reveals no pixels`() {
    let frame = Frame(width: 2, height: 1, filledWith: Pixel(red: 231, green: 232, blue: 233))
    var dumped = ""
    dump(frame, to: &dumped)
    for text in ["\(frame)", String(reflecting: frame), dumped] {
      #expect(!text.contains("23"))
    }
  }

  // The image is A B C over D E F; each row is the display that the EXIF standard defines for the value.
  @Test(arguments: [
    (Orientation.upright, 3, "ABCDEF"), (.mirrored, 3, "CBAFED"), (.upsideDown, 3, "FEDCBA"),
    (.mirroredUpsideDown, 3, "DEFABC"), (.mirroredQuarterLeft, 2, "ADBECF"), (.quarterRight, 2, "DAEBFC"),
    (.mirroredQuarterRight, 2, "FCEBDA"), (.quarterLeft, 2, "CFBEAD"),
  ])
  func `a frame can be rotated upright`(orientation: Orientation, width: Int, wanted: String) throws {
    let pixels = ContiguousArray("ABCDEF".unicodeScalars.map { Pixel(packed: $0.value) })
    let frame = try #require(Frame(width: 3, height: 2, pixels: pixels))
    var target = Frame()
    frame.stand(upright: orientation, into: &target)
    #expect(target.width == width)
    let letters = target.pixels.map { Character(Unicode.Scalar(UInt8($0.packed))) }
    #expect(String(letters) == wanted)
  }

  @Test func `mean luma weights colors and is limited to its region`() throws {
    var frame = Frame(width: 100, height: 50, filledWith: Pixel(red: 200, green: 200, blue: 200))
    for y in 0..<50 {
      for x in 0..<50 { frame[x, y] = Pixel(red: 255, green: 0, blue: 0) }
    }
    let red = try #require(frame.meanLuma(x: 0..<50, y: 0..<50))
    #expect(abs(red - 0.299 * 255) < 0.1)
    let gray = try #require(frame.meanLuma(x: 60..<1000, y: -5..<20))
    #expect(abs(gray - 200) < 0.1)
    let all = try #require(frame.meanLuma)
    #expect(abs(all - (red + gray) / 2) < 3)
    #expect(frame.meanLuma(x: 200..<300, y: 0..<10) == nil)
    #expect(Frame().meanLuma == nil)
  }

  @Test func `painting is clipped to the image`() {
    let white = Pixel(red: 255, green: 255, blue: 255)
    var painter = DebugOverlayRenderer(Frame(width: 8, height: 8))
    painter.drawLine(from: SIMD2(-20, 3.4), to: SIMD2(40, 3.4), white)
    let row = (0..<8).map { painter.frame[$0, 3] == white }
    #expect(row == Array(repeating: true, count: 8), "no gaps")
    #expect(painter.frame.pixels.count { $0 == white } == 8)
    painter.drawDisc(at: SIMD2(100, 100), radius: 5, white)
    painter.drawDisc(at: SIMD2(.nan, 1), radius: 5, white)
    painter.drawRectangle(from: SIMD2(-50, -50), to: SIMD2(50, 50), white)
    #expect(painter.frame.pixels.count { $0 == white } == 8)
    painter.drawDisc(at: SIMD2(0, 7), radius: 0, white)
    #expect(painter.frame.pixels.count { $0 == white } == 9)
  }
}
