public import MienCore
internal import RealModule

/// Task to make small motions in a given order.
public struct MotionsTask: Hashable, Sendable {
  /// One requested motion.
  public struct Step: Hashable, Sendable {
    public let motion: Motion
    /// Time between the motion before and this one's cue; `nil` for none.
    public let pause: Interval?

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - motion: The requested motion.
    ///   - pause: 0…10 s, or `nil` for no pause and no time window.
    public init(_ motion: Motion, after pause: Interval? = nil) {
      self.motion = motion
      self.pause = pause
    }
  }

  /// Maximum number of steps in one task.
  public static let maximumSteps = 24
  /// Available pauses, far enough apart that a motion timed for one is too early or too late for another.
  public static let pauses: [Interval] = [.milliseconds(400), .seconds(2), .milliseconds(3600)]

  public let steps: [Step]
  public let difficulty: TaskDifficulty
  public let settings: MotionsSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval
  /// log₂ of the number of sequences this one was chosen from; 0 for a fixed sequence.
  public let bitsOfChoice: Double

  /// Creates a task with a fixed sequence.
  ///
  /// - Throws: ``TaskError`` if there are no steps or too many, or if a pause or the timeout is out of range.
  public init(
    steps: [Step], difficulty: TaskDifficulty = .medium, settings: MotionsSettings? = nil, timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(steps, bits: 0, difficulty, settings, timeout)
  }

  /// Returns a uniformly random sequence within the limits: three motions if easy, four if medium, five with pauses if hard.
  ///
  /// - Parameters:
  ///   - difficulty: Decides the length and the pauses.
  ///   - maxNods: Maximum number of nods, 0…20.
  ///   - maxBlinks: Maximum number of blinks, 0…20.
  ///   - timeout: Time limit; `nil` for the one that fits the length.
  ///   - generator: Source of randomness.
  public static func random(
    difficulty: TaskDifficulty = .medium, maxNods: Int = 5, maxBlinks: Int = 5, timeout: Interval? = nil,
    using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> MotionsTask {
    guard (0...20).contains(maxNods) else { throw TaskError(.outOfRange, "maxNods") }
    guard (0...20).contains(maxBlinks) else { throw TaskError(.outOfRange, "maxBlinks") }
    let count =
      switch difficulty {
      case .easy: 3
      case .medium: 4
      case .hard: 5
      }
    let sequences = MotionSequenceGenerator(most: [.nod: maxNods, .blink: maxBlinks, .mouth: count])
    return try make(count, sequences, isPaced: difficulty == .hard, difficulty, nil, timeout, using: &generator)
  }

  /// Returns a random sequence of the given motions with at least `bits` bits of choice, with pauses if it would otherwise exceed six
  /// steps.
  ///
  /// - Throws: ``TaskError`` if `motions` is empty, or if ``maximumSteps`` steps cannot provide the bits.
  public static func random(
    of motions: Set<Motion>, bits: Double, difficulty: TaskDifficulty = .medium, timeout: Interval? = nil,
    using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> MotionsTask {
    guard !motions.isEmpty else { throw TaskError(.nothingAsked, "motions") }
    let most = Dictionary(uniqueKeysWithValues: motions.map { ($0, Self.maximumSteps) })
    let sequences = MotionSequenceGenerator(most: most)
    for (range, isPaced) in [(2...6, false), (2...maximumSteps, true)] {
      for count in range where bits <= sequences.bits(count) + (isPaced ? paceBits(count) : 0) {
        let settings = MotionsSettings.standard(difficulty).unhurried
        return try make(count, sequences, isPaced: isPaced, difficulty, settings, timeout, using: &generator)
      }
    }
    throw TaskError(.outOfRange, "bits")
  }

  private static func make(
    _ count: Int, _ sequences: MotionSequenceGenerator, isPaced: Bool, _ difficulty: TaskDifficulty,
    _ settings: MotionsSettings?,
    _ timeout: Interval?, using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> MotionsTask {
    guard let motions = sequences.draw(count, using: &generator) else { throw TaskError(.nothingAsked, "motions") }
    var steps: [Step] = []
    for motion in motions {
      let pause = pauses[Int.random(in: pauses.indices, using: &generator)]
      steps.append(Step(motion, after: isPaced ? pause : nil))
    }
    let bits = sequences.bits(count) + (isPaced ? paceBits(count) : 0)
    return try MotionsTask(steps, bits: bits, difficulty, settings, timeout)
  }

  private static func paceBits(_ count: Int) -> Double { Double(count) * Double.log2(Double(pauses.count)) }

  private init(
    _ steps: [Step], bits: Double, _ difficulty: TaskDifficulty, _ settings: MotionsSettings?, _ timeout: Interval?
  ) throws(TaskError) {
    guard !steps.isEmpty else { throw TaskError(.nothingAsked, "motions") }
    guard steps.count <= Self.maximumSteps else { throw TaskError(.outOfRange, "motions") }
    for step in steps {
      guard let pause = step.pause else { continue }
      guard (Interval.zero...Interval.seconds(10)).contains(pause) else { throw TaskError(.outOfRange, "pause") }
    }
    self.steps = steps
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    bitsOfChoice = bits
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(10 + 5 * Double(steps.count)))
  }

  /// Abilities that the task requires.
  public var needs: AccessibilityProfile {
    steps.reduce(into: []) { $0.formUnion($1.motion.needs) }
  }
}
