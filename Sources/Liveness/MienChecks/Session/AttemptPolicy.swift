internal import MienCore
internal import MienLiveness

/// Decides which failures of an attempt are followed by another one (Documentation/decisions/0031-attempts-and-waiting.md).
///
/// Every further attempt of a disclosed challenge also gives an attacker another chance. Without a number of attempts in
/// the request, a further one therefore follows only failures that show a person in difficulty and nothing that was
/// guessed wrong: a recording of another movement fails at once.
struct AttemptPolicy: Sendable {
  /// Number of attempts if the request states none.
  static let defaultLimit = 3
  /// Number of times that a check begins again after the face was lost, without counting an attempt.
  static let maximumInterruptions = 2

  /// Reasons after which a check without a requested number of attempts goes on.
  static let forgiven: Set<String> = [
    "timed-out", "not-finished", "turned-too-little", "did-not-return", "too-slow", "unsteady", "face-lost",
    "several-faces", "not-measured", "too-few-frames", "no-face-image",
  ]
  /// Reasons that end a check whatever its number of attempts: the wait for a person is over, or the frames are not
  /// from a camera.
  static let final: Set<String> = ["no-face", "frozen-camera", VerdictPolicy.suspectFrames]

  /// Requested number of attempts, 1…5; `nil` if the request states none.
  let requested: Int?

  /// Maximum number of attempts.
  var limit: Int { requested ?? Self.defaultLimit }

  /// Consequence of a failed attempt.
  enum Consequence: Equatable {
    case end
    /// The check begins again, and no attempt is counted.
    case beginAgain
    case nextAttempt
  }

  /// Returns the consequence of a failure after the given earlier ones.
  func consequence(of reason: String, after earlier: [FailedAttempt]) -> Consequence {
    guard !Self.final.contains(reason) else { return .end }
    let interruptions = earlier.count(where: \.isInterruption)
    if reason == "face-lost", interruptions < Self.maximumInterruptions { return .beginAgain }
    guard earlier.count - interruptions + 1 < limit else { return .end }
    return requested != nil || Self.forgiven.contains(reason) ? .nextAttempt : .end
  }
}

/// The challenge of one attempt of a check.
struct AttemptPlan: Sendable {
  /// `nil` for the head turn to ``side``.
  let tasks: TaskPlan?
  let side: Side
  /// Seed of the tasks of a further attempt, 32 bytes; that of the first attempt is in the check's record.
  let seed: [UInt8]

  /// `true` if the challenge is a single head turn.
  var isHeadTurnOnly: Bool {
    guard let tasks else { return true }
    return tasks.tasks.count == 1 && tasks.tasks[0].kind == .headTurn
  }

  /// Creates the first attempt, with the challenge chosen when the check was created.
  ///
  /// - Throws: ``ServiceError`` with code `badValue` for invalid tasks.
  init(firstOf record: CheckRecord) throws {
    tasks = try record.tasks?.plan()
    side = record.side
    seed = []
  }

  /// Creates a further attempt with newly drawn tasks.
  init(of record: CheckRecord, seed: [UInt8], side: Side) throws {
    tasks = try record.tasks.map { try $0.drawn(with: seed).plan() }
    self.side = side
    self.seed = seed
  }
}
