import MienAuthenticity
import MienCodecs
import MienImaging
import Testing

@Suite struct `Screen pixel grid` {
  enum Layout: CaseIterable { case stripes, penTile, plain }

  /// Renders a close-up of a white screen with resolved pixels: `period` sensor pixels per screen pixel, rotated.
  static func photograph(_ layout: Layout, period: Float, cosine: Float, sine: Float, side: Int = 320) -> Frame {
    var generator = Scenes.Noise(state: 7)
    var frame = Frame(width: side, height: side)
    for y in 0..<side {
      for x in 0..<side {
        var sum = SIMD3<Float>.zero
        for step in 0..<4 {
          let (fx, fy) = (Float(x) + Float(step % 2) / 2, Float(y) + Float(step / 2) / 2)
          sum += light(layout, (cosine * fx + sine * fy) / period, (cosine * fy - sine * fx) / period)
        }
        let noise = 6 * (generator.next() - 0.5)
        func tone(_ value: Float) -> UInt8 { UInt8(min(max(40 + 44 * value + noise, 0), 255)) }
        frame[x, y] = Pixel(red: tone(sum.x), green: tone(sum.y), blue: tone(sum.z))
      }
    }
    return frame
  }

  /// Returns the emitted light at a position on the screen, in screen pixels.
  private static func light(_ layout: Layout, _ u: Float, _ v: Float) -> SIMD3<Float> {
    let (column, row) = (u.rounded(.down), v.rounded(.down))
    let (across, down) = (u - column, v - row)
    switch layout {
    case .plain: return SIMD3(repeating: 0.5)
    case .stripes:
      guard down < 0.8 else { return .zero }
      let third = across * 3
      return third.rounded(.down) == 0 ? SIMD3(1, 0, 0) : third < 2 ? SIMD3(0, 1, 0) : SIMD3(0, 0, 1)
    case .penTile:
      func isDot(_ x: Float, _ y: Float, _ radius: Float) -> Bool {
        (across - x) * (across - x) + (down - y) * (down - y) < radius * radius
      }
      if isDot(0, 0, 0.26) || isDot(1, 0, 0.26) || isDot(0, 1, 0.26) || isDot(1, 1, 0.26) { return SIMD3(0, 1, 0) }
      guard isDot(0.5, 0.5, 0.34) else { return .zero }
      return Int(column + row).isMultiple(of: 2) ? SIMD3(1, 0, 0) : SIMD3(0, 0, 1)
    }
  }

  static func report(_ frame: Frame, asJPEG: Bool) throws -> MoireReport? {
    var image = YCbCrImage(frame)
    if asJPEG {
      let encoder = try JPEGEncoder()
      var decoder = try YCbCrDecoder()
      try decoder.decode(encoder.encode(frame, quality: 92), into: &image)
    }
    return CaptureAnalyzer().analyze(CaptureInput(image: image)).moire
  }

  @Test(arguments: [Float(6.1), 7.3])
  func `red, green and blue stripes are an LCD`(period: Float) throws {
    let frame = Self.photograph(.stripes, period: period, cosine: 0.978, sine: 0.208)
    #expect(try Self.report(frame, asJPEG: false)?.screenType == .lcd)
    #expect(try Self.report(frame, asJPEG: true)?.screenType == .lcd)
  }

  @Test(arguments: [Float(6.1), 7.3])
  func `half as many red and blue dots as green dots are an OLED screen`(period: Float) throws {
    let frame = Self.photograph(.penTile, period: period, cosine: 0.978, sine: 0.208)
    #expect(try Self.report(frame, asJPEG: false)?.screenType == .oled)
    #expect(try Self.report(frame, asJPEG: true)?.screenType == .oled)
  }

  @Test func `a grid too fine for color is a screen of unknown type and no grid is no screen`() throws {
    let scene = Scenes.blobs()
    let grid = Scenes.adding(scene) { x, y in 16 * Scenes.wave((Float(x) + 0.1 * Float(y)) / 2.7) }
    #expect(CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: grid))).moire?.screenType == .unknown)
    let plain = Self.photograph(.plain, period: 7, cosine: 0.978, sine: 0.208)
    #expect(try Self.report(plain, asJPEG: false) == nil, "a plain surface shows nothing to measure")
  }

  @Test func `a gray grid is not a screen type`() throws {
    let gray = Scenes.adding(Scenes.blobs()) { x, y in
      let (u, v) = (0.978 * Float(x) + 0.208 * Float(y), 0.978 * Float(y) - 0.208 * Float(x))
      return 24 * (Scenes.wave(u / 6.1) + Scenes.wave(v / 6.1))
    }
    var frame = Frame(width: 320, height: 320)
    for (index, tone) in gray.samples.enumerated() {
      frame[index % 320, index / 320] = Pixel(red: tone, green: tone, blue: tone)
    }
    let report = try #require(try Self.report(frame, asJPEG: true))
    #expect(report.detected)
    #expect(report.screenType == .unknown)
  }
}
