/// Weighted sum of ranks: each measurement's position among its training quantiles, from −1 (at or below the minimum)
/// to 1 (above the maximum), linearly interpolated.
///
/// Unlike the measurement itself, a rank is bounded for images unlike any in training.
struct TextureRanks: Sendable {
  /// Index of a measurement among the model's, the weight of its rank, and its quantiles in ascending order.
  private struct Line: Sendable {
    var measure: Int
    var weight: Double
    var knots: [Float]
  }

  private var lines: [Line] = []
  private let offset: Double

  /// Ranks shipped with the package.
  static let shipped: TextureRanks = {
    guard
      let ranks = TextureRanks(
        TextureModelParameters.measures, TextureModelParameters.ranks, offset: TextureModelParameters.rankOffset)
    else {
      preconditionFailure("the weights do not fit this program: run Training/train.py")
    }
    return ranks
  }()

  /// Parses measurements, one per line: `number weight quantile quantile …`.
  ///
  /// - Returns: nil if a measurement is unknown, or if quantiles are fewer than two, not finite or not in order.
  init?(_ measures: [String], _ text: String, offset: Double) {
    self.offset = offset
    let names = TextureCheck.names
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let knots = words.dropFirst(2).compactMap { Float($0) }
      guard words.count >= 4, knots.count == words.count - 2, let number = Int(words[0]),
        let weight = Double(words[1]), weight.isFinite, measures.indices.contains(number),
        let measure = names.firstIndex(of: measures[number]), knots.allSatisfy(\.isFinite),
        zip(knots, knots.dropFirst()).allSatisfy({ $0 <= $1 })
      else { return nil }
      lines.append(Line(measure: measure, weight: weight, knots: knots))
    }
    guard !lines.isEmpty else { return nil }
  }

  /// Returns the weighted sum; `values` in the order of ``TextureCheck/names``.
  func score(_ values: [Float]) -> Double {
    lines.reduce(offset) { $0 + $1.weight * Self.rank(values[$1.measure], among: $1.knots) }
  }

  /// Returns the rank of a value, −1…1; among equal quantiles, the first counts.
  private static func rank(_ value: Float, among knots: [Float]) -> Double {
    guard let above = knots.firstIndex(where: { $0 >= value }) else { return 1 }
    guard above > 0 else { return -1 }
    let (low, high) = (Double(knots[above - 1]), Double(knots[above]))
    let place = Double(above - 1) + (Double(value) - low) / (high - low)
    return place / (Double(knots.count - 1) / 2) - 1
  }
}
