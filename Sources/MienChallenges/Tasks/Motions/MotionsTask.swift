public import MienModel

/// Make small motions in the order asked.
public struct MotionsTask: Hashable, Sendable {
  /// One motion that is asked.
  public struct Step: Hashable, Sendable {
    public let motion: Motion
    /// How long after the motion before this one it is asked; nil when it is asked at once.
    public let pause: Interval?

    /// - Parameter pause: 0…10 s, or nil for no pace.
    public init(_ motion: Motion, after pause: Interval? = nil) {
      self.motion = motion
      self.pause = pause
    }
  }

  /// The most steps that one task takes.
  public static let maximumSteps = 24
  /// The pauses that a pace is made of, far enough apart that a motion made for one comes too early or too late for
  /// another.
  public static let pauses: [Interval] = [.milliseconds(400), .seconds(2), .milliseconds(3600)]

  public let steps: [Step]
  public let difficulty: TaskDifficulty
  public let settings: MotionsSettings
  /// 1…300 s.
  public let timeout: Interval
  /// log₂ of how many sequences this one was chosen from; 0 when it was fixed.
  public let bitsOfChoice: Double

  /// A fixed sequence.
  ///
  /// - Throws: ``TaskRefusal`` for no or too many steps, a pause or a timeout out of range.
  public init(
    steps: [Step], difficulty: TaskDifficulty = .medium, settings: MotionsSettings? = nil, timeout: Interval? = nil
  ) throws(TaskRefusal) {
    try self.init(steps, bits: 0, difficulty, settings, timeout)
  }

  /// A sequence of chance, all that keep to the limits being equally likely: three motions when easy, four when medium,
  /// five and a pace when hard.
  ///
  /// - Parameters:
  ///   - maxNods: the most nods that are asked. 0…20.
  ///   - maxBlinks: the most blinks that are asked. 0…20.
  public static func random(
    difficulty: TaskDifficulty = .medium, maxNods: Int = 5, maxBlinks: Int = 5, timeout: Interval? = nil,
    using dice: inout some RandomNumberGenerator
  ) throws(TaskRefusal) -> MotionsTask {
    guard (0...20).contains(maxNods) else { throw TaskRefusal(.outOfRange, "maxNods") }
    guard (0...20).contains(maxBlinks) else { throw TaskRefusal(.outOfRange, "maxBlinks") }
    let count =
      switch difficulty {
      case .easy: 3
      case .medium: 4
      case .hard: 5
      }
    let chance = MotionChance(most: [.nod: maxNods, .blink: maxBlinks, .mouth: count])
    return try make(count, chance, isPaced: difficulty == .hard, difficulty, nil, timeout, using: &dice)
  }

  /// A sequence of chance of the given motions with at least so many bits of choice, with a pace when it would be longer
  /// than six steps without.
  ///
  /// - Throws: ``TaskRefusal`` for no motion, or more bits than ``maximumSteps`` can hold.
  public static func random(
    of motions: Set<Motion>, bits: Double, difficulty: TaskDifficulty = .medium, timeout: Interval? = nil,
    using dice: inout some RandomNumberGenerator
  ) throws(TaskRefusal) -> MotionsTask {
    guard !motions.isEmpty else { throw TaskRefusal(.nothingAsked, "motions") }
    let most = Dictionary(uniqueKeysWithValues: motions.map { ($0, Self.maximumSteps) })
    let chance = MotionChance(most: most)
    for (range, isPaced) in [(2...6, false), (2...maximumSteps, true)] {
      for count in range where bits <= chance.bits(count) + (isPaced ? paceBits(count) : 0) {
        let settings = MotionsSettings.standard(difficulty).unhurried
        return try make(count, chance, isPaced: isPaced, difficulty, settings, timeout, using: &dice)
      }
    }
    throw TaskRefusal(.outOfRange, "bits")
  }

  private static func make(
    _ count: Int, _ chance: MotionChance, isPaced: Bool, _ difficulty: TaskDifficulty, _ settings: MotionsSettings?,
    _ timeout: Interval?, using dice: inout some RandomNumberGenerator
  ) throws(TaskRefusal) -> MotionsTask {
    guard let motions = chance.draw(count, using: &dice) else { throw TaskRefusal(.nothingAsked, "motions") }
    var steps: [Step] = []
    for motion in motions {
      let pause = pauses[Int.random(in: pauses.indices, using: &dice)]
      steps.append(Step(motion, after: isPaced ? pause : nil))
    }
    let bits = chance.bits(count) + (isPaced ? paceBits(count) : 0)
    return try MotionsTask(steps, bits: bits, difficulty, settings, timeout)
  }

  private static func paceBits(_ count: Int) -> Double { Double(count) * binaryLogarithm(Double(pauses.count)) }

  private init(
    _ steps: [Step], bits: Double, _ difficulty: TaskDifficulty, _ settings: MotionsSettings?, _ timeout: Interval?
  ) throws(TaskRefusal) {
    guard !steps.isEmpty else { throw TaskRefusal(.nothingAsked, "motions") }
    guard steps.count <= Self.maximumSteps else { throw TaskRefusal(.outOfRange, "motions") }
    for step in steps {
      guard let pause = step.pause else { continue }
      guard (Interval.zero...Interval.seconds(10)).contains(pause) else { throw TaskRefusal(.outOfRange, "pause") }
    }
    self.steps = steps
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    bitsOfChoice = bits
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(10 + 5 * Double(steps.count)))
  }

  /// What a person has to be able to do for it.
  public var needs: Abilities {
    steps.reduce(into: []) { $0.formUnion($1.motion.needs) }
  }
}
