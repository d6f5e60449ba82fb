internal import MienCore

/// Detects the answers of a ``YesOrNoTask`` in the roll.
struct YesOrNoTracker: Hashable, Sendable {
  private let questions: [TaskQuestion]
  private let settings: YesOrNoSettings
  /// Index of the current question; the number of questions once all are answered.
  private(set) var index = 0
  /// `true` while the head must return upright before the next question.
  private(set) var isReturning = false
  /// Instant at which the current question was shown; `nil` before the first sample.
  private var askedAt: MonotonicInstant?
  private var tiltedSince: MonotonicInstant?
  private var saysYes = false
  private var samplesTilted = 0

  init(_ task: YesOrNoTask) {
    questions = task.questions
    settings = task.settings
  }

  mutating func process(_ sample: TrackerSample, _ events: inout TaskEventLog) -> TrackerUpdate {
    let roll = sample.pose.z
    if isReturning {
      guard abs(roll) < settings.upright else { return .going }
      isReturning = false
      askedAt = sample.at
      tiltedSince = nil
      return .going
    }
    let askedAt = askedAt ?? sample.at
    self.askedAt = askedAt
    guard abs(roll) >= settings.tilt, index < questions.count else {
      tiltedSince = nil
      return .going
    }
    // Roll is positive if the top of the head leans to the subject's right.
    let isYes = roll > 0
    guard let since = tiltedSince, isYes == saysYes else {
      guard sample.at.since(askedAt) >= settings.reading else { return .failed(.tooEarly) }
      tiltedSince = sample.at
      saysYes = isYes
      samplesTilted = 1
      return .going
    }
    samplesTilted += 1
    guard samplesTilted >= 2, sample.at.since(since) >= settings.hold else { return .going }
    events.add(.answered(isYes), at: sample.at)
    guard isYes == questions[index].answer else { return .failed(.wrongAnswer) }
    index += 1
    guard index < questions.count else { return .done }
    isReturning = true
    return .going
  }

  var count: Int { questions.count }
  var progress: Float { (Float(index) - (isReturning ? 0.5 : 0)) / Float(questions.count) }
}

extension YesOrNoTracker: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&index)
    coder.require((0...questions.count).contains(index))
    coder.pass(&isReturning)
    coder.pass(&askedAt)
    coder.pass(&tiltedSince)
    coder.pass(&saysYes)
    coder.pass(&samplesTilted)
  }
}
