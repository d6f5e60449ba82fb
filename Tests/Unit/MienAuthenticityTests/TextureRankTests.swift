import Testing

@testable import MienAuthenticity

/// Rank of a measure among its quantiles, in the format written by the training.
@Suite struct `Ranks of the texture check` {
  static let names = ["tone.dark", "tone.middle"]

  static func score(_ text: String, dark: Float, middle: Float = 0) throws -> Double {
    var values = [Float](repeating: .nan, count: SceneMeasures.names.count)
    values[try #require(SceneMeasures.names.firstIndex(of: "tone.dark"))] = dark
    values[try #require(SceneMeasures.names.firstIndex(of: "tone.middle"))] = middle
    return try #require(TextureRanks(names, text, offset: 0.5)).score(values)
  }

  @Test(
    arguments: [
      (-9, -1), (0, -1), (1, -0.75), (2, -0.5), (3, -0.25), (4, 0), (4.5, 0.75), (5, 1), (99, 1),
    ] as [(Float, Double)])
  func `run straight from one quantile to the next, the first of equal ones counting`(
    value: Float, rank: Double
  ) throws {
    // Two quantiles are 4: larger values exceed both.
    let found = try Self.score("0 2 0 2 4 4 5", dark: value)
    #expect(abs(found - (0.5 + 2 * rank)) < 1e-12)
  }

  @Test func `add up, each with its weight`() throws {
    let found = try Self.score("0 2 0 1\n1 -3 10 20 30", dark: 0.25, middle: 25)
    #expect(abs(found - (0.5 + 2 * -0.5 - 3 * 0.5)) < 1e-12)
  }

  @Test(arguments: [
    "", "0", "0 1", "0 1 2", "0 1 2 x", "x 1 2 3", "2 1 2 3", "-1 1 2 3", "0 nan 2 3", "0 1 3 2", "0 1 2 inf",
    "0 1 2 nan", "0 1 1 2\n7 1 1 2",
  ])
  func `that are not well formed are refused`(text: String) {
    #expect(TextureRanks(Self.names, text, offset: 0) == nil)
  }

  @Test func `of a measure that nobody makes are refused`() {
    #expect(TextureRanks(["tone.green"], "0 1 2 3", offset: 0) == nil)
  }

  @Test func `that ship name every measure of a scene once`() {
    let numbers = TextureModelParameters.ranks.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.flatMap { Int($0) }
    }
    #expect(numbers == Array(TextureModelParameters.measures.indices))
    #expect(Set(TextureModelParameters.measures) == Set(SceneMeasures.names))
  }
}
