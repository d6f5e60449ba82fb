/// Error rates of liveness and face match together, over clips with a liveness result (ISO/IEC 30107-3:2023, full-system
/// evaluation of a verification system).
///
/// The first bona fide clip of a person that has a template is the reference; each other clip with a liveness check is one
/// verification of that person, so that each counts once. The system accepts a clip if liveness passed and the median
/// similarity to the reference reaches the threshold. A clip that liveness did not assess, or without a template, is not
/// accepted.
public struct FullSystemEvaluation: Codable, Hashable, Sendable {
  /// Rates of one attack species.
  public struct Species: Codable, Hashable, Sendable {
    public var name: String
    /// Attacks that match the reference of the impersonated person, whatever liveness says.
    public var matched: ErrorRate
    /// Attacks that are accepted (impostor attack presentation accept rate).
    public var iapar: ErrorRate
    /// Sum of ``iapar`` and the false reject rate (relative impostor attack presentation accept rate).
    public var riapar: Sum
  }

  /// Sum of two rates of different presentations.
  public struct Sum: Codable, Hashable, Sendable {
    public var value: Double
    /// Interval with at least 95 % confidence: the sums of the ends of both exact 97.5 % intervals.
    public var lower: Double
    public var upper: Double

    /// Returns `nil` if a rate has no presentations.
    init?(_ first: ErrorRate, _ second: ErrorRate) {
      guard let one = first.value, let other = second.value else { return nil }
      value = one + other
      let (a, b) = (first.interval(tail: 0.0125), second.interval(tail: 0.0125))
      lower = a.lower + b.lower
      upper = a.upper + b.upper
    }
  }

  /// Rates of liveness alone: APCER by species and BPCER.
  public var liveness: Evaluation
  /// Bona fide clips that are not accepted (false reject rate).
  public var falseRejects: ErrorRate
  /// Bona fide clips among ``falseRejects`` that failed or had no result in liveness, and those that passed it but did not
  /// match or had no template.
  public var rejectedByLiveness: Int
  public var rejectedByMatch: Int
  public var species: [Species]
  /// The species with the greatest ``Species/iapar``: the standard asks for the worst.
  public var worstSpecies: String
  /// Attacks whose impersonated person has no reference; they count only in the liveness rates.
  public var attacksWithoutReference: Int

  /// Reason why there are no rates of the full system.
  enum Shortage: Error, CustomStringConvertible {
    case noLiveness, noAttack, noReference, noVerification

    var description: String {
      switch self {
      case .noLiveness: "the table has no liveness results (column liveness: passed, failed or not-assessed)"
      case .noAttack: "the table has no attacks with a liveness result (column label: a species)"
      case .noReference: "no attack impersonates a person who has a bona fide clip with a template"
      case .noVerification:
        "no person has a second bona fide clip with a liveness result, so that there is no false reject rate"
      }
    }
  }

  init(_ clips: [ClipGroup], threshold: Double, hasLiveness: Bool) throws(Shortage) {
    guard hasLiveness, clips.contains(where: { $0.liveness != nil }) else { throw .noLiveness }
    let attacks = clips.filter { $0.isAttack && $0.liveness != nil }
    guard !attacks.isEmpty else { throw .noAttack }
    liveness = Evaluation(
      check: "liveness", threshold: nil,
      trials: clips.compactMap { clip in
        clip.liveness.map { outcome in
          Presentation(
            path: clip.clip, label: clip.label, source: "all", measure: nil,
            answer: outcome == .passed ? .genuine : outcome == .failed ? .suspect : .notAssessed)
        }
      })

    var references: [String: ClipGroup] = [:]
    var probes: [ClipGroup] = []
    for clip in clips where !clip.isAttack {
      if !clip.templates.isEmpty, references[clip.person] == nil {
        references[clip.person] = clip
      } else if clip.liveness != nil {
        probes.append(clip)
      }
    }
    func isMatch(_ clip: ClipGroup) -> Bool {
      guard let similarity = references[clip.person]?.similarity(to: clip) else { return false }
      return Double(similarity) >= threshold
    }
    // A person without any template has no reference and therefore no verification.
    let verified = probes.filter { references[$0.person] != nil }
    guard !verified.isEmpty else { throw .noVerification }
    rejectedByLiveness = verified.count { $0.liveness != .passed }
    rejectedByMatch = verified.count { $0.liveness == .passed && !isMatch($0) }
    let falseRejects = ErrorRate(rejectedByLiveness + rejectedByMatch, of: verified.count)
    self.falseRejects = falseRejects

    let aimed = attacks.filter { references[$0.person] != nil }
    guard !aimed.isEmpty else { throw .noReference }
    attacksWithoutReference = attacks.count - aimed.count
    species = Set(aimed.map(\.label)).sorted().compactMap { name in
      let those = aimed.filter { $0.label == name }
      let iapar = ErrorRate(those.count { $0.liveness == .passed && isMatch($0) }, of: those.count)
      return Sum(iapar, falseRejects).map { sum in
        Species(name: name, matched: ErrorRate(those.count(where: isMatch), of: those.count), iapar: iapar, riapar: sum)
      }
    }
    worstSpecies = species.max { ($0.iapar.value ?? 0) < ($1.iapar.value ?? 0) }?.name ?? ""
  }
}
