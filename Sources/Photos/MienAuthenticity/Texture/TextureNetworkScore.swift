/// Weighted sum of the features of the texture check's network; each is standardized by its usual value and spread, and
/// clamped to a limit.
struct TextureNetworkScore: Sendable {
  private static let limit: Float = 4

  private let usual: [Float]
  private let spreads: [Float]
  private let weights: [Float]
  private let offset: Double

  /// Weights shipped with the package.
  static let shipped: TextureNetworkScore = {
    guard
      let score = TextureNetworkScore(
        usual: TextureNetworkParameters.usual, spreads: TextureNetworkParameters.spreads,
        weights: TextureNetworkParameters.weights, offset: TextureNetworkParameters.offset)
    else {
      preconditionFailure("the weights do not fit this program: run Training/network.py")
    }
    return score
  }()

  /// Parses numbers separated by white space, one for each feature.
  ///
  /// - Returns: nil if a list has another length, a number is malformed, or a spread is not positive.
  init?(usual: String, spreads: String, weights: String, offset: Double) {
    func numbers(_ text: String) -> [Float]? {
      let numbers = text.split(whereSeparator: \.isWhitespace).map { Float($0) ?? .nan }
      return numbers.count == TextureFeatures.names.count && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }
    guard let usual = numbers(usual), let spreads = numbers(spreads), let weights = numbers(weights),
      spreads.allSatisfy({ $0 > 0 })
    else { return nil }
    (self.usual, self.spreads, self.weights, self.offset) = (usual, spreads, weights, offset)
  }

  func score(_ features: TextureFeatures) -> Double {
    features.values.indices.reduce(offset) { sum, index in
      let distance = (features.values[index] - usual[index]) / spreads[index]
      return sum + Double(weights[index] * min(max(distance, -Self.limit), Self.limit))
    }
  }
}
