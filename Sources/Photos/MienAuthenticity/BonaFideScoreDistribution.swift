/// The native measures that genuine pictures had in the evaluation, for saying how unusual a new one is.
enum BonaFideScoreDistribution {
  /// The share of genuine pictures with this or a greater measure (more like a copy), as a 95 % interval; nil for checks
  /// that were not evaluated.
  ///
  /// Between the stored quantiles the share is bounded by its neighbours; to that comes the uncertainty of so many
  /// pictures, by Wilson's score interval. Quantiles that equal the measure are of pictures that have it, and are not below.
  static func interval(_ check: CheckName, native: Double) -> CrossValidationReport.Interval? {
    guard let table = tables[check], table.count > 1 else { return nil }
    let steps = Double(table.count - 1)
    let below = Double(table.count { $0 < native })
    let (least, most) = (max(0, 1 - below / steps), min(1, 1 - (below - 1) / steps))
    return CrossValidationReport.Interval(
      check: check, lower: wilson(least, upper: false), upper: wilson(most, upper: true))
  }

  private static func wilson(_ share: Double, upper: Bool) -> Double {
    let (z, n) = (1.959_964, Double(images))
    let center = share + z * z / (2 * n)
    let reach = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return min(max((center + (upper ? reach : -reach)) / (1 + z * z / n), 0), 1)
  }
}
