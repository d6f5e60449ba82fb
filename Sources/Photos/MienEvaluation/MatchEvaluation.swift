/// Error rates of a comparison of faces over labeled pairs (ISO/IEC 19795-1).
public struct MatchEvaluation: Codable, Hashable, Sendable {
  /// Rates at one threshold.
  public struct Row: Codable, Hashable, Sendable {
    /// Pairs with this similarity or more match.
    public var threshold: Double
    /// Pairs of different people that match (false match rate).
    public var falseMatches: ErrorRate
    /// Pairs of one person that do not match (false non-match rate).
    public var falseNonMatches: ErrorRate
  }

  public var rows: [Row]
  /// Pairs of one person, and of different people, of which a face could not be assessed; they are in no other rate.
  public var sameNotAssessed: ErrorRate
  public var differentNotAssessed: ErrorRate
  /// Lowest similarity of one person's pairs, and highest of different people's.
  public var lowestSame: Double?
  public var highestDifferent: Double?
  /// Probability that a pair of one person is more similar than one of different people, with ties counted half; `nil` if
  /// a class is missing.
  public var auc: Double?
  /// Mean of both rates at the threshold where they are closest; `nil` if a class is missing.
  public var eer: Double?

  /// - Parameter pairs: pairs with their similarities; `nil` counts as not assessed.
  public init(_ pairs: [PairManifest.Pair], thresholds: [Double]) {
    let (same, different) = (pairs.filter(\.isSamePerson), pairs.filter { !$0.isSamePerson })
    sameNotAssessed = ErrorRate(same.count { $0.similarity == nil }, of: same.count)
    differentNotAssessed = ErrorRate(different.count { $0.similarity == nil }, of: different.count)
    let (own, others) = (same.compactMap(\.similarity), different.compactMap(\.similarity))
    lowestSame = own.min()
    highestDifferent = others.max()
    rows = thresholds.map { threshold in
      Row(
        threshold: threshold, falseMatches: ErrorRate(others.count { $0 >= threshold }, of: others.count),
        falseNonMatches: ErrorRate(own.count { $0 < threshold }, of: own.count))
    }
    // The curve's attacks have the greater values.
    let curve = DETCurve(
      pairs.map {
        Presentation(
          path: "", label: $0.isSamePerson ? "match" : "bona", source: "", measure: $0.similarity, answer: .genuine)
      })
    auc = curve?.auc
    eer = curve?.eer
  }
}
