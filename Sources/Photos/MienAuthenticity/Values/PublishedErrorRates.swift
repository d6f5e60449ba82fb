/// Measured error rates of a check at its shipped threshold, for display next to its result.
public struct PublishedErrorRates: Codable, Hashable, Sendable {
  public var check: CheckName
  /// Version of the algorithm that was measured.
  public var version: String
  /// Data set of the measurement, for example its name and how it was split.
  public var measuredOn: String
  /// Bona fide images classified as suspect.
  public var bpcer: Rate
  /// Attack images not classified as suspect, by species.
  public var apcer: [String: Rate]

  /// Error rate as a count, with its 95 % Clopper–Pearson interval.
  public struct Rate: Codable, Hashable, Sendable {
    public var errors: Int
    public var of: Int
    public var lower: Double
    public var upper: Double

    public init(errors: Int, of: Int, lower: Double, upper: Double) {
      self.errors = errors
      self.of = of
      self.lower = lower
      self.upper = upper
    }
  }

  public enum CodingKeys: String, CodingKey {
    case check, version, bpcer, apcer
    case measuredOn = "measured_on"
  }

  public init(check: CheckName, version: String, measuredOn: String, bpcer: Rate, apcer: [String: Rate]) {
    self.check = check
    self.version = version
    self.measuredOn = measuredOn
    self.bpcer = bpcer
    self.apcer = apcer
  }
}
