internal import MienCore

/// Error rates of a comparison of faces, one to one, over templates of known people (ISO/IEC 19795-1).
///
/// Frames of a clip resemble each other, and a clip is part of many pairs. Pairs are therefore counted without an
/// interval; intervals are given for people, who are independent of each other.
public struct MatchEvaluation: Codable, Hashable, Sendable {
  /// Errors and comparisons, without an interval: the comparisons are not independent.
  public struct Count: Codable, Hashable, Sendable {
    public var errors: Int
    public var of: Int
    /// The share of errors; `nil` without comparisons.
    public var value: Double? { of > 0 ? Double(errors) / Double(of) : nil }

    public init(_ errors: Int, of count: Int) {
      self.errors = errors
      of = count
    }
  }

  /// False match rate and false non-match rate over pairs.
  public struct Rates: Codable, Hashable, Sendable {
    /// Pairs of different people that match.
    public var falseMatches: Count
    /// Pairs of one person, from two clips, that do not match.
    public var falseNonMatches: Count

    public init(falseMatches: Count, falseNonMatches: Count) {
      self.falseMatches = falseMatches
      self.falseNonMatches = falseNonMatches
    }
  }

  /// Rates at one threshold.
  public struct Row: Codable, Hashable, Sendable {
    /// Pairs with this similarity or more match.
    public var threshold: Double
    /// Pairs of clips, by the median similarity of their frames, as a check decides.
    public var clips: Rates
    /// Pairs of frames of two clips.
    public var frames: Rates
    /// Pairs of frames of one clip that do not match.
    public var framesOfOneClip: Count
    /// People of whom at least one clip matches another person's, among people in the table.
    public var peopleWithFalseMatch: ErrorRate
    /// People of whom at least two clips do not match, among people with two clips.
    public var peopleWithFalseNonMatch: ErrorRate
    /// Pairs of people of whom at least two clips match. A person is part of many such pairs, so the interval is too
    /// narrow if errors concentrate on few people.
    public var pairsOfPeopleWithFalseMatch: ErrorRate
  }

  /// FNMR at the lowest threshold at which the FMR of pairs of clips is at most a given rate.
  public struct DETPoint: Codable, Hashable, Sendable {
    public var falseMatchRate: Double
    public var threshold: Double
    public var rates: Rates
  }

  /// Two clips and their similarity.
  public struct Pair: Codable, Hashable, Sendable {
    public var first: String
    public var second: String
    public var similarity: Double

    public init(first: String, second: String, similarity: Double) {
      self.first = first
      self.second = second
      self.similarity = similarity
    }
  }

  /// Version of the model, as given in the table.
  public var model: String?
  /// Bona fide people, clips and frames with a template.
  public var people: Int
  public var clips: Int
  public var frames: Int
  /// Bona fide frames without a template (failures to acquire).
  public var framesNotAssessed: Count
  /// Bona fide clips without any template.
  public var clipsNotAssessed: ErrorRate
  /// Rates at the evaluated threshold.
  public var atThreshold: Row
  /// Rates over thresholds.
  public var curve: [Row]
  public var detection: [DETPoint]
  /// Probability that two clips of one person are more similar than two of different people, with ties counted half;
  /// `nil` if a class is missing.
  public var auc: Double?
  /// Mean of both rates of pairs of clips at the threshold where they are closest; `nil` if a class is missing.
  public var eer: Double?
  /// Least similar clips of one person, and most similar clips of different people: the first place to look for wrong
  /// labels.
  public var leastSimilarOfOnePerson: [Pair]
  public var mostSimilarOfDifferentPeople: [Pair]
  /// Rates of the full system; `nil` if the table has no liveness results or too little else.
  public var fullSystem: FullSystemEvaluation?
  /// Reasons why a rate is absent.
  public var missing: [String]

  /// Thresholds of ``curve``.
  public static let thresholds = stride(from: 0, through: 16, by: 1).map { Double($0) / 20 }

  /// - Parameter threshold: similarity from which two faces match.
  public init(_ manifest: TemplateManifest, threshold: Double) {
    let groups = ClipGroup.groups(of: manifest)
    let bonaFide = groups.filter { !$0.isAttack }
    let assessed = bonaFide.filter { !$0.templates.isEmpty }
    model = manifest.model
    clips = assessed.count
    frames = assessed.reduce(0) { $0 + $1.templates.count }
    let all = bonaFide.reduce(0) { $0 + $1.frames }
    framesNotAssessed = Count(all - frames, of: all)
    clipsNotAssessed = ErrorRate(bonaFide.count - assessed.count, of: bonaFide.count)

    let comparison = ClipComparison(assessed, thresholds: Self.thresholds + [threshold])
    people = comparison.people
    let rows = comparison.rows
    curve = Array(rows.dropLast())
    atThreshold = rows[rows.count - 1]
    let trade = DETCurve(comparison.pairs.map { (measure: Double($0.similarity), isAttack: $0.isSamePerson) })
    auc = trade?.auc
    eer = trade?.eer
    detection = comparison.detection([0.1, 0.01, 0.001, 0.0001])
    leastSimilarOfOnePerson = comparison.extremes(ofOnePerson: true, most: 5)
    mostSimilarOfDifferentPeople = comparison.extremes(ofOnePerson: false, most: 5)

    missing = []
    if people < 2 { missing.append("no false match rate: fewer than two people have a bona fide clip with a template") }
    if atThreshold.clips.falseNonMatches.of == 0 {
      missing.append("no false non-match rate: no person has templates of two bona fide clips")
    }
    do {
      fullSystem = try FullSystemEvaluation(groups, threshold: threshold, hasLiveness: manifest.hasLiveness)
    } catch {
      fullSystem = nil
      missing.append("no IAPAR and RIAPAR: \(error)")
    }
  }
}

/// The frames of one clip.
struct ClipGroup {
  var clip: String
  var person: String
  var label: String
  var liveness: LivenessOutcome?
  var templates: [FaceTemplate]
  /// Number of frames, with and without a template.
  var frames: Int

  var isAttack: Bool { !Presentation.isBonaFide(label) }

  /// Returns the clips of a table in the order of their first rows.
  static func groups(of manifest: TemplateManifest) -> [ClipGroup] {
    var groups: [ClipGroup] = []
    var places: [String: Int] = [:]
    for row in manifest.rows {
      let place = places[row.clip] ?? groups.count
      if place == groups.count {
        places[row.clip] = place
        groups.append(
          ClipGroup(
            clip: row.clip, person: row.person, label: row.label, liveness: row.liveness, templates: [], frames: 0))
      }
      groups[place].frames += 1
      if let template = row.template { groups[place].templates.append(template) }
    }
    return groups
  }

  /// Returns the similarities of all pairs of a frame of this clip and one of another.
  func similarities(to other: ClipGroup) -> [Float] {
    templates.flatMap { template in other.templates.map { template.similarity(to: $0) } }
  }

  /// Returns the median similarity of the frames of two clips; `nil` if one has no template.
  func similarity(to other: ClipGroup) -> Float? { Self.median(similarities(to: other)) }

  static func median(_ values: [Float]) -> Float? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
