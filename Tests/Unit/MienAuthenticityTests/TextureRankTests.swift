import Testing

@testable import MienAuthenticity

/// Rank of a measure among its quantiles, in the format written by the training.
@Suite struct `Texture check ranks` {
  static let names = ["tone.dark", "tone.middle"]

  static func score(_ text: String, dark: Float, middle: Float = 0) throws -> Double {
    var values = [Float](repeating: .nan, count: TextureCheck.names.count)
    values[try #require(TextureCheck.names.firstIndex(of: "tone.dark"))] = dark
    values[try #require(TextureCheck.names.firstIndex(of: "tone.middle"))] = middle
    return try #require(TextureRanks(names, text, offset: 0.5)).score(values)
  }

  @Test(
    arguments: [
      (-9, -1), (0, -1), (1, -0.75), (2, -0.5), (3, -0.25), (4, 0), (4.5, 0.75), (5, 1), (99, 1),
    ] as [(Float, Double)])
  func `ranks interpolate linearly between quantiles, using the first of equal quantiles`(
    value: Float, rank: Double
  ) throws {
    // Two quantiles are 4: larger values exceed both.
    let found = try Self.score("0 2 0 2 4 4 5", dark: value)
    #expect(abs(found - (0.5 + 2 * rank)) < 1e-12)
  }

  @Test func `weighted ranks are summed`() throws {
    let found = try Self.score("0 2 0 1\n1 -3 10 20 30", dark: 0.25, middle: 25)
    #expect(abs(found - (0.5 + 2 * -0.5 - 3 * 0.5)) < 1e-12)
  }

  @Test(arguments: [
    "", "0", "0 1", "0 1 2", "0 1 2 x", "x 1 2 3", "2 1 2 3", "-1 1 2 3", "0 nan 2 3", "0 1 3 2", "0 1 2 inf",
    "0 1 2 nan", "0 1 1 2\n7 1 1 2",
  ])
  func `malformed tables are rejected`(text: String) {
    #expect(TextureRanks(Self.names, text, offset: 0) == nil)
  }

  @Test func `tables with an unknown measure are rejected`() {
    #expect(TextureRanks(["tone.green"], "0 1 2 3", offset: 0) == nil)
  }

  @Test func `the program scores the training's example as the training does`() throws {
    var values = [Float](repeating: .nan, count: TextureCheck.names.count)
    for line in TextureModelParameters.ranks.split(separator: "\n") {
      let words = line.split(separator: " ")
      let (number, knots) = (try #require(Int(words[0])), words.dropFirst(2).map { Float($0) })
      let name = TextureModelParameters.measures[number]
      let place = try #require(TextureCheck.names.firstIndex(of: name))
      values[place] = try #require(knots[7 * number % knots.count])
    }
    let found = TextureForest.shipped.score(values) + TextureRanks.shipped.score(values)
    #expect(abs(found - TextureModelParameters.exampleScore) < 1e-3)
  }

  @Test func `the bundled table names every measure once`() {
    let numbers = TextureModelParameters.ranks.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(numbers == Array(TextureModelParameters.measures.indices))
    #expect(Set(TextureModelParameters.measures) == Set(TextureCheck.names))
  }
}
