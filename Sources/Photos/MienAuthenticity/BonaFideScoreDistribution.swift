/// Native values of the bona fide images in the evaluation, used to report how unusual a new value is.
enum BonaFideScoreDistribution {
  /// Returns the share of bona fide images with this or a greater native value (more like a recapture) as a 95 %
  /// interval, or nil for checks that were not evaluated.
  ///
  /// Between stored quantiles, the share is bounded by the neighboring quantiles; Wilson's score interval then adds the
  /// uncertainty of the sample size. Quantiles equal to the value belong to images that have it and do not count as
  /// below.
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
