/// The measured error rates of a check at its shipped threshold, for showing beside its answer.
public struct PublishedErrorRates: Codable, Hashable, Sendable {
  public var check: CheckName
  /// The version of the algorithm that was measured.
  public var version: String
  /// What it was measured on, for example the name of the set and how it was split.
  public var measuredOn: String
  /// Genuine pictures called suspect.
  public var bpcer: Rate
  /// Attack pictures not called suspect, by species.
  public var apcer: [String: Rate]

  /// An error rate as a count, with its 95 % Clopper–Pearson interval.
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
