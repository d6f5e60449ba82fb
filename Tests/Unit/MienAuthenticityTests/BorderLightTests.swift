import MienImaging
import Testing

@testable import MienAuthenticity

/// Darkness of an image's border.
@Suite struct `Border light` {
  static func measure(_ width: Int = 256, _ height: Int = 320, _ tone: (Int, Int) -> Float) -> [String: Float] {
    Dictionary(uniqueKeysWithValues: zip(BorderLight.names, BorderLight.measure(Scenes.drawn(width, height, tone))))
  }

  @Test(arguments: [(64, 64), (65, 200), (320, 256), (400, 300)])
  func `an even image has no border light`(width: Int, height: Int) {
    let found = Self.measure(width, height) { _, _ in 100 }
    #expect(found.count == BorderLight.names.count)
    #expect(found.values.allSatisfy { abs($0) < 1e-4 })
  }

  @Test func `a dark side is subtracted first and the other sides remain`() throws {
    let found = Self.measure { x, _ in x < 20 ? 10 : 110 }
    #expect(try #require(found["rim.side0"]) < -0.8)
    // The sides above and below include its corners.
    #expect(try #require(found["rim.side1"]) > -0.1)
    #expect(try #require(found["rim.side3"]) >= 0)
  }

  @Test func `light that falls off toward every side is a bulge`() throws {
    let found = Self.measure { x, y in
      let (u, v) = (Float(x) / 127.5 - 1, Float(y) / 159.5 - 1)
      return 200 * (1 - 0.3 * u * u - 0.1 * v * v)
    }
    let (both, least) = try (#require(found["rim.bulge"]), #require(found["rim.bulge.least"]))
    #expect(least < -0.25 && both < least)
  }
}
