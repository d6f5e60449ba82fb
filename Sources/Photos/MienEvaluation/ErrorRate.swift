/// Error count and total, with the exact (Clopper–Pearson) 95 % interval.
public struct ErrorRate: Codable, Hashable, Sendable {
  public let errors: Int
  public let of: Int
  public let lower: Double
  public let upper: Double

  /// Computes the interval from the beta distribution (Clopper and Pearson, Biometrika 1934): both tails 2.5 %.
  ///
  /// - Precondition: 0 ≤ errors ≤ of.
  public init(_ errors: Int, of count: Int) {
    precondition(errors >= 0 && errors <= count, "more errors than trials")
    self.errors = errors
    of = count
    lower = errors == 0 ? 0 : IncompleteBeta.inverse(0.025, a: Double(errors), b: Double(count - errors + 1))
    upper = errors == count ? 1 : IncompleteBeta.inverse(0.975, a: Double(errors + 1), b: Double(count - errors))
  }

  /// The error rate; nil if the total is 0.
  public var value: Double? { of > 0 ? Double(errors) / Double(of) : nil }
}
