public import MienCore
internal import RealModule

/// Task to hold still while the screen shows a sequence of soft colors that the server chose. The skin must change its color
/// with the sequence, so that a recording shows another one.
///
/// Nothing else is asked of the subject, and no ability is needed. It does not stop software that relights a face in real
/// time. Where the screen adds too little light, the task is not assessed (``LightJudge``), and another one takes its place
/// (``TaskPlan/alternatives``).
public struct LightTask: Hashable, Sendable {
  /// Valid numbers of colors: eight take four seconds.
  public static let lengths = 8...16
  /// Time for which each color is shown: two changes a second are at most one flash a second.
  public static let dwell = Interval.milliseconds(500)
  /// Time from the rest pose to the first color, so that a client knows the color before it is due.
  public static let lead = Interval.milliseconds(400)
  /// Bits that a recording would have to guess, by simulation: similar sequences pass for each other, so that the number of
  /// sequences (2¹⁸·⁸) would promise too much.
  public static let judgedBits = 13.0

  /// Colors in their order, without consecutive duplicates and without ``LightColor/pearl``, which precedes them.
  public let colors: [LightColor]
  public let settings: LightSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval
  let isChosen: Bool

  /// Creates a task with a fixed sequence.
  ///
  /// - Throws: ``TaskError`` if the length is outside ``lengths``, if a color is repeated consecutively or is
  ///   ``LightColor/pearl``, or if the timeout is out of range.
  public init(colors: [LightColor], settings: LightSettings = .standard, timeout: Interval? = nil) throws(TaskError) {
    try self.init(colors, isChosen: false, settings, timeout)
  }

  /// Returns a task with a uniformly random sequence: eight colors, or ten if hard.
  public static func random(
    difficulty: TaskDifficulty = .medium, timeout: Interval? = nil, using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> LightTask {
    let all = LightColor.sequence
    var places = [Int.random(in: all.indices, using: &generator)]
    let count = difficulty == .hard ? 10 : 8
    while places.count < count {
      places.append((places[places.count - 1] + .random(in: 1..<all.count, using: &generator)) % all.count)
    }
    return try LightTask(places.map { all[$0] }, isChosen: true, .standard, timeout)
  }

  private init(
    _ colors: [LightColor], isChosen: Bool, _ settings: LightSettings, _ timeout: Interval?
  ) throws(TaskError) {
    guard Self.lengths.contains(colors.count) else { throw TaskError(.outOfRange, "colors") }
    for (color, next) in zip([.pearl] + colors, colors) where color == next || next == .pearl {
      throw TaskError(.badPath, "colors")
    }
    self.colors = colors
    self.isChosen = isChosen
    self.settings = settings
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(20))
  }

  /// Duration of the sequence without the lead.
  public var duration: Interval { .seconds(Double(colors.count) * Self.dwell.inSeconds) }

  /// Number of bits that a recording would have to guess; 0 for a fixed sequence.
  public var bitsOfChoice: Double {
    guard isChosen else { return 0 }
    return Self.judgedBits * Double(colors.count) / Double(Self.lengths.lowerBound)
  }
}

/// Settings for judging a light task. The initializer validates every value.
public struct LightSettings: Hashable, Sendable {
  /// Smallest correlation of the steps of the face's color with those of the sequence, 0.5…0.99.
  public let correlation: Double
  /// Smallest share of the screen's light in the light on the face, 0.01…0.5.
  public let gain: Double
  /// Largest standard deviation of the face's color per step that the sequence does not explain, 0.005…0.1, and its growth
  /// with the gain, 0…0.5.
  public let residual: Double
  public let residualGrowth: Double
  /// Response, as a share of light, at which a face that does not follow the sequence is an attack, 0.03…0.5.
  public let foreignResponse: Double
  /// Correlation below which such a face does not follow the sequence. Below `correlation`, 0.1…0.9.
  public let foreignCorrelation: Double
  /// Difference of gains over the face, relative to their mean, that every face exceeds near a screen, 0…0.5: the tip of the
  /// nose is nearer to it than the cheeks are.
  public let relief: Double
  /// Number of standard errors by which two parts of the face must differ, 2…10.
  public let reliefErrors: Double
  /// Longest time from a color to its answer, 0.2…1 s.
  public let delay: Interval
  /// Maximum yaw, pitch or roll in degrees from the rest pose at which a frame counts, 3…30.
  public let stillness: Float

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    correlation: Double = 0.88, gain: Double = 0.035, residual: Double = 0.018, residualGrowth: Double = 0.08,
    foreignResponse: Double = 0.06, foreignCorrelation: Double = 0.6, relief: Double = 0.06,
    reliefErrors: Double = 4.5, delay: Interval = .milliseconds(650), stillness: Float = 10
  ) {
    guard (0.5...0.99).contains(correlation), (0.01...0.5).contains(gain), (0.005...0.1).contains(residual),
      (0...0.5).contains(residualGrowth), (0.03...0.5).contains(foreignResponse),
      (0.1...0.9).contains(foreignCorrelation), foreignCorrelation < correlation, (0...0.5).contains(relief),
      (2...10).contains(reliefErrors), (Interval.milliseconds(200)...Interval.seconds(1)).contains(delay),
      (3...30).contains(stillness)
    else { return nil }
    self.correlation = correlation
    self.gain = gain
    self.residual = residual
    self.residualGrowth = residualGrowth
    self.foreignResponse = foreignResponse
    self.foreignCorrelation = foreignCorrelation
    self.relief = relief
    self.reliefErrors = reliefErrors
    self.delay = delay
    self.stillness = stillness
  }

  /// Default settings.
  public static let standard: LightSettings = {
    guard let settings = LightSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
