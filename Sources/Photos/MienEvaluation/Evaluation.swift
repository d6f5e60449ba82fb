/// ISO/IEC 30107-3 metrics of a check, over labeled presentations.
public struct Evaluation: Codable, Hashable, Sendable {
  /// Name of the check.
  public var check: String
  /// Native value from which the check reports suspect.
  public var threshold: Double?
  /// Bona fide presentations classified as suspect, among those with an answer.
  public var bpcer: ErrorRate
  /// Attacks not classified as suspect (genuine or undecided), among those with an answer, of the species with the
  /// highest such rate: the standard's APCER. The rate's value is `nil` if there is no attack.
  public var apcer: ErrorRate
  /// Species of ``apcer``; nil if there is no attack with an answer.
  public var apcerSpecies: String?
  /// Attacks not classified as suspect, among those with an answer; all species together.
  public var attacksMissed: ErrorRate
  /// Bona fide presentations without an answer.
  public var bpnrr: ErrorRate
  /// Attacks without an answer.
  public var apnrr: ErrorRate
  /// Attacks classified as genuine: the remainder of APCER if undecided presentations are reviewed by a person.
  public var attacksCalledGenuine: ErrorRate
  /// Bona fide presentations left undecided.
  public var bonaFideUndecided: ErrorRate
  /// Rates by species.
  public var species: [Row]
  public var sources: [Row]
  /// Curve over all presentations with an answer; nil if a class is missing.
  public var curve: DETCurve?
  /// Counts of each answer by label.
  public var confusion: [Confusion]
  /// Attacks that look most genuine and bona fide presentations that look most like attacks, worst first.
  public var worst: [Presentation]

  /// Rates of one species or source.
  public struct Row: Codable, Hashable, Sendable {
    public var name: String
    public var apcer: ErrorRate
    public var apnrr: ErrorRate
    public var bpcer: ErrorRate
    public var bpnrr: ErrorRate
    /// Area under the ROC curve; nil if a class is missing.
    public var auc: Double?
  }

  public struct Confusion: Codable, Hashable, Sendable {
    public var label: String
    public var isAttack: Bool
    /// Counts in the order of ``Presentation/Answer``.
    public var counts: [Int]
  }

  /// - Parameter threshold: reported only; the metrics are computed from the answers.
  public init(check: String, threshold: Double?, trials: [Presentation]) {
    self.check = check
    self.threshold = threshold
    let attacks = trials.filter(\.isAttack)
    let bonaFide = trials.filter { !$0.isAttack }
    bpcer = Self.rate(bonaFide) { $0.answer == .suspect }
    attacksMissed = Self.rate(attacks) { $0.answer != .suspect }
    bpnrr = ErrorRate(bonaFide.count { $0.answer == .notAssessed }, of: bonaFide.count)
    apnrr = ErrorRate(attacks.count { $0.answer == .notAssessed }, of: attacks.count)
    attacksCalledGenuine = Self.rate(attacks) { $0.answer == .genuine }
    bonaFideUndecided = Self.rate(bonaFide) { $0.answer == .undecided }
    let labels = Set(attacks.map(\.label)).sorted()
    species = labels.map { label in
      let those = attacks.filter { $0.label == label }
      return Self.row(label, those, bonaFide: [], curve: DETCurve(those + bonaFide))
    }
    let greatest = species.max { ($0.apcer.value ?? -1) < ($1.apcer.value ?? -1) }
    apcer = greatest?.apcer ?? attacksMissed
    apcerSpecies = greatest?.apcer.value == nil ? nil : greatest?.name
    sources = Set(trials.map(\.source)).sorted().map { source in
      let those = trials.filter { $0.source == source }
      return Self.row(
        source, those.filter(\.isAttack), bonaFide: those.filter { !$0.isAttack }, curve: DETCurve(those))
    }
    curve = DETCurve(trials)
    confusion = Set(trials.map(\.label)).sorted().map { label in
      let those = trials.filter { $0.label == label }
      return Confusion(
        label: label, isAttack: those.contains(where: \.isAttack),
        counts: Presentation.Answer.allCases.map { answer in those.count { $0.answer == answer } })
    }
    func measured(_ trials: [Presentation]) -> [(trial: Presentation, measure: Double)] {
      trials.compactMap { trial in trial.measure.map { (trial, $0) } }
    }
    worst =
      measured(attacks).sorted { $0.measure < $1.measure }.prefix(10).map(\.trial)
      + measured(bonaFide).sorted { $0.measure > $1.measure }.prefix(10).map(\.trial)
  }

  private static func rate(_ trials: [Presentation], _ isError: (Presentation) -> Bool) -> ErrorRate {
    let answered = trials.filter { $0.answer != .notAssessed }
    return ErrorRate(answered.count(where: isError), of: answered.count)
  }

  private static func row(_ name: String, _ attacks: [Presentation], bonaFide: [Presentation], curve: DETCurve?) -> Row
  {
    Row(
      name: name, apcer: rate(attacks) { $0.answer != .suspect },
      apnrr: ErrorRate(attacks.count { $0.answer == .notAssessed }, of: attacks.count),
      bpcer: rate(bonaFide) { $0.answer == .suspect },
      bpnrr: ErrorRate(bonaFide.count { $0.answer == .notAssessed }, of: bonaFide.count), auc: curve?.auc)
  }
}

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
    let interval = Self.interval(errors, of: count, tail: 0.025)
    lower = interval.lower
    upper = interval.upper
  }

  /// Returns the exact interval with another share in each tail.
  func interval(tail: Double) -> (lower: Double, upper: Double) { Self.interval(errors, of: of, tail: tail) }

  private static func interval(_ errors: Int, of count: Int, tail: Double) -> (lower: Double, upper: Double) {
    let (hits, misses) = (Double(errors), Double(count - errors))
    return (
      errors == 0 ? 0 : IncompleteBeta.inverse(tail, a: hits, b: misses + 1),
      errors == count ? 1 : IncompleteBeta.inverse(1 - tail, a: hits + 1, b: misses)
    )
  }

  /// The error rate; nil if the total is 0.
  public var value: Double? { of > 0 ? Double(errors) / Double(of) : nil }
}
