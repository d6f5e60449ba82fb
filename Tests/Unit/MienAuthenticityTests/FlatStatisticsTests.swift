import MienImaging
import Testing

@testable import MienAuthenticity
import RealModule

/// Noise statistics in flat areas of an image.
@Suite struct `Noise statistics of flat areas` {
  static func measure(_ tone: (Int, Int) -> Float, size: Int = 256) -> [String: Float] {
    var statistics = FlatStatistics()
    let blocks = statistics.measure(Scenes.drawn(size, size, tone))
    return Dictionary(uniqueKeysWithValues: zip(FlatStatistics.names, FlatStatistics.numbers(of: [blocks])))
  }

  /// Returns approximately normal noise with standard deviation 1: the sum of twelve uniform values.
  static func noise(_ generator: inout Scenes.Noise) -> Float {
    (0..<12).reduce(-6) { sum, _ in sum + generator.next() }
  }

  @Test(arguments: [64, 128, 256])
  func `normal noise has normal kurtosis at every tile size`(size: Int) throws {
    var generator = Scenes.Noise(state: 5)
    let found = Self.measure({ _, _ in 120.5 + 4 * Self.noise(&generator) }, size: size)
    #expect(found.count == FlatStatistics.names.count)
    // The kurtosis of the normal distribution is 3, slightly less for blocks of 256 samples and sums of uniform values.
    let peaked = try #require(found["flat.full.peaked50"])
    #expect(peaked > Float.log(2.6) && peaked < Float.log(3.3))
    let strength = try #require(found["flat.full.strength"])
    #expect(abs(strength - Float.log(4.0)) < 0.1)
  }

  @Test func `a grid has lower and specks have higher kurtosis`() throws {
    var (first, second, third) = (Scenes.Noise(state: 1), Scenes.Noise(state: 1), Scenes.Noise(state: 1))
    let noise = Self.measure { _, _ in 120.5 + 3 * Self.noise(&first) }
    let grid = Self.measure { x, _ in 120.5 + 12 * Scenes.wave(Float(x) / 3.7) + 1 * Self.noise(&second) }
    let specks = Self.measure { _, _ in 120.5 + 3 * Self.noise(&third) + (third.next() < 0.01 ? 40 : 0) }
    for name in ["flat.full.peaked25", "flat.full.peaked50", "flat.full.peaked", "flat.full.peaked.low"] {
      let (even, middle, sparse) = try (#require(grid[name]), #require(noise[name]), #require(specks[name]))
      #expect(even < middle - 0.2, "\(name)")
      #expect(sparse > middle + 0.2, "\(name)")
    }
    #expect(try #require(specks["flat.full.uneven50"]) > #require(noise["flat.full.uneven50"]))
  }

  @Test func `slowly varying light is removed`() throws {
    var (first, second) = (Scenes.Noise(state: 9), Scenes.Noise(state: 9))
    let even = Self.measure { _, _ in 120.5 + 3 * Self.noise(&first) }
    let bent = Self.measure { x, y in
      60.5 + Float(x) * 0.3 + Float(x * y) * 0.0006 + Float(y * y) * 0.0004 + 3 * Self.noise(&second)
    }
    for name in ["flat.full.peaked50", "flat.full.strength"] {
      #expect(try abs(#require(even[name]) - #require(bent[name])) < 0.05, "\(name)")
    }
  }

  @Test func `the flattest blocks are those without structure`() throws {
    var generator = Scenes.Noise(state: 2)
    // The left half has broad stripes, the right half noise of a known strength.
    let found = Self.measure { x, y in
      120.5 + (x < 128 ? 60 * Scenes.wave(Float(y) / 21) : 0) + 5 * Self.noise(&generator)
    }
    #expect(try abs(#require(found["flat.full.strength"]) - Float.log(5.0)) < 0.1)
  }

  @Test(arguments: [0, 128, 255] as [Float])
  func `an image of one tone has finite statistics`(tone: Float) {
    let found = Self.measure { _, _ in tone }
    #expect(found.values.allSatisfy { $0.isFinite })
  }
}
