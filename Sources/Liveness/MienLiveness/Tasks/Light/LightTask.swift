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

/// Soft color that a client shows on the whole screen during a light task.
///
/// The colors have about the same luminance, so that a change between two of them is not a flash as defined by WCAG 2.3.1,
/// and none is a saturated red (a test shows both). The browser client has the same list and shows nothing else.
public enum LightColor: Int, Hashable, Sendable, CaseIterable {
  /// Shown before the first color of a sequence.
  case pearl
  case rose, leaf, sky, sun, violet, lagoon

  /// Colors that a sequence consists of.
  public static let sequence: [LightColor] = allCases.filter { $0 != .pearl }

  /// Red, green and blue of sRGB.
  public var sRGB: (red: UInt8, green: UInt8, blue: UInt8) {
    switch self {
    case .pearl: (0xBE, 0xBE, 0xBE)
    case .rose: (0xFF, 0xAA, 0xAA)
    case .leaf: (0x95, 0xCE, 0x95)
    case .sky: (0x95, 0xB4, 0xFF)
    case .sun: (0xE7, 0xBC, 0x59)
    case .violet: (0xF3, 0x99, 0xF3)
    case .lagoon: (0x59, 0xCB, 0xE1)
    }
  }

  /// Wire format of the color: `#rrggbb`.
  public var code: String {
    let (red, green, blue) = sRGB
    return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Red, green and blue in linear light; white is 1 in each.
  public var linear: SIMD3<Double> {
    switch self {
    case .pearl: SIMD3(0.515, 0.515, 0.515)
    case .rose: SIMD3(1, 0.402, 0.402)
    case .leaf: SIMD3(0.301, 0.617, 0.301)
    case .sky: SIMD3(0.301, 0.456, 1)
    case .sun: SIMD3(0.799, 0.503, 0.1)
    case .violet: SIMD3(0.896, 0.319, 0.896)
    case .lagoon: SIMD3(0.1, 0.597, 0.753)
    }
  }
}
