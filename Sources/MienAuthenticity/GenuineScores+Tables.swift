extension GenuineScores {
  /// How many genuine pictures the tables come from.
  static let pictures = 126
  /// By check: quantiles of the native measure, evenly spaced from the least to the greatest.
  static let tables: [CheckName: [Double]] = [:]
}
