public import MienCore

/// Settings of ``OnePersonMonitor``.
public struct OnePersonSettings: Hashable, Sendable {
  /// Version of the rule and its values, for exported results.
  public static let version = "one-person-1"

  /// Similarity to the earlier frames below which a frame shows another person. Lower than the threshold of a match:
  /// frames of one person differ by pose, expression and blur, and a mistake fails a genuine check
  /// (Documentation/reports/FaceMatch.md).
  public var changed: Float = 0.3
  /// Minimum similarity at which a finding has the greatest score.
  public var certain: Float = 0.6
  /// Minimum interval between two compared frames.
  public var pace = Interval.milliseconds(300)
  /// Number of frames that describe the person.
  public var most = 5
  /// Minimum number of compared frames for an assessment.
  public var least = 3

  public init() {}
}

/// Compares the face of a check with itself over time: one person must do everything that was asked.
///
/// The first frames describe the person, by the mean of their templates; each further frame is compared with it. Two
/// consecutive frames of another face are a change: the measure is the greater similarity of two consecutive frames, and
/// the lowest such value decides. The best frames are kept for a comparison with a reference. A frame of another face
/// neither describes the person nor is kept.
public struct OnePersonMonitor: Sendable {
  public static let check = "one-person"
  /// Reason of a suspect finding, and of a check that fails by it.
  public static let reason = "person-changed"

  private struct Candidate: Hashable, Sendable {
    var template: FaceTemplate
    var quality: Float
  }

  private let settings: OnePersonSettings
  private var first: [FaceTemplate] = []
  private var candidates: [Candidate] = []
  private var compared = 0
  /// Similarity of the last frame, and the lowest of the greater ones of two consecutive frames.
  private var previous: Float = 1
  private var lowest: Float = 1
  private var last: MonotonicInstant?

  public init(settings: OnePersonSettings = OnePersonSettings()) { self.settings = settings }

  /// The best frames, best first.
  public var best: [FaceTemplate] { candidates.map(\.template) }

  /// Returns `true` if a frame at this time should be compared.
  public func isDue(at time: MonotonicInstant) -> Bool {
    last.map { time.since($0).nanoseconds >= settings.pace.nanoseconds } != false
  }

  /// Compares a frame with the earlier ones.
  ///
  /// - Parameter quality: only compared with that of other frames of the check.
  public mutating func process(_ template: FaceTemplate, quality: Float, at time: MonotonicInstant) {
    last = time
    compared += 1
    if let person = FaceTemplate.mean(of: first) {
      let similarity = template.similarity(to: person)
      lowest = min(lowest, max(previous, similarity))
      previous = similarity
      guard similarity >= settings.changed else { return }
    }
    if first.count < settings.most { first.append(template) }
    candidates.append(Candidate(template: template, quality: quality))
    candidates.sort { $0.quality > $1.quality }
    if candidates.count > settings.most { candidates.removeLast() }
  }

  /// Starts again: the tasks have not begun, and another person may have been in front of the camera.
  public mutating func restart() {
    guard compared > 0 else { return }
    self = OnePersonMonitor(settings: settings)
  }

  /// The measure, or too few frames. A score of 0.5 is the limit.
  public var finding: Finding {
    let isChanged = lowest < settings.changed
    let position =
      isChanged
      ? max(0, lowest) / settings.changed : (lowest - settings.changed) / (settings.certain - settings.changed)
    guard compared >= settings.least, let score = Score(Double(min(position, 1) / 2) + (isChanged ? 0 : 0.5))
    else { return Finding(check: Self.check, result: .notAssessed(.tooFewFrames(compared))) }
    let measure = Finding.Measure(
      native: Double(lowest), score: score, calibration: "\(OnePersonSettings.version) \(FaceTemplate.model)")
    return Finding(
      check: Self.check, result: isChanged ? .suspect(measure, because: Self.reason) : .genuine(measure))
  }
}

extension OnePersonMonitor: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var templates = first.map(\.bytes)
    var others = candidates.map(\.template.bytes)
    var qualities = candidates.map(\.quality)
    coder.pass(&templates)
    coder.pass(&others)
    coder.pass(&qualities)
    coder.pass(&compared)
    coder.pass(&previous)
    coder.pass(&lowest)
    coder.pass(&last)
    guard coder.isReading, coder.isSound else { return }
    first = templates.compactMap { FaceTemplate(bytes: $0) }
    candidates = zip(others, qualities).compactMap { bytes, quality in
      FaceTemplate(bytes: bytes).map { Candidate(template: $0, quality: quality) }
    }
    coder.require(
      first.count == templates.count && candidates.count == others.count && others.count == qualities.count
        && first.count <= settings.most && candidates.count <= settings.most && compared >= 0)
  }
}

extension OnePersonMonitor: CustomStringConvertible, CustomReflectable {
  public var description: String { "OnePersonMonitor(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
