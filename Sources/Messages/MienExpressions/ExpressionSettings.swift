public import MienCore

/// Settings for detecting expressions. The initializer validates every value.
///
/// Levels are coefficients relative to the subject's face at rest (``ExpressionBaseline``), nominally 0…1, unless stated otherwise.
/// Expressions are tested in the order tongue, winks, smooch, surprise, smile: the most specific first, because a tongue also opens the
/// jaw and people smile while they wink.
public struct ExpressionSettings: Hashable, Sendable {
  /// Version for records; change it whenever a default changes.
  public static let version = "expressions-2"

  /// Level of `tongueOut`.
  public let tongue: HysteresisThreshold
  /// Coefficient of the closed eye of a wink (`eyeBlink…`), as measured for the tracker and relative for a phone.
  public let winkClosed: HysteresisThreshold
  /// Openness of the other eye in a wink: its coefficient, as measured or relative, must stay below 1 − this level.
  public let winkOpen: HysteresisThreshold
  /// Minimum difference between the closed and the open eye, including their `eyeSquint…` by ``winkSquint``.
  public let winkDifference: HysteresisThreshold
  /// Weight of the difference of `eyeSquint…` in ``winkDifference``, 0…1.
  public let winkSquint: Float
  /// Level of `mouthPucker` or, on a phone, `cheekPuff`.
  public let smooch: HysteresisThreshold
  /// Closedness of the jaw in a smooch: `jawOpen`, as measured, must stay below 1 − this level.
  public let smoochJaw: HysteresisThreshold
  /// Level of `jawOpen` for a surprise.
  public let surpriseJaw: HysteresisThreshold
  /// Brow level for a surprise: the larger of `browInnerUp` and the mean of both `browOuterUp…`.
  public let surpriseBrow: HysteresisThreshold
  /// Level of the upper eyelids for a surprise, instead of the brows: the smaller of both `eyeWide…`, as measured.
  public let surpriseEyes: HysteresisThreshold
  /// Smaller of both `mouthSmile…`.
  public let smile: HysteresisThreshold
  /// Level below which jaw, smile and tongue are neutral, 0.05…1.
  public let neutralMouth: Float
  /// Difference of the eyes below which they are neutral, 0.05…1.5.
  public let neutralEyeDifference: Float
  /// Time for which an expression must be held, 0.1…5 s.
  public let hold: Interval
  /// Time for which a smooch must be held, 0.1…5 s: people who talk round their lips for shorter times.
  public let smoochHold: Interval
  /// Maximum time between two observations across which an expression counts as held, 0.05…2 s.
  public let longestGap: Interval
  /// Expressions that count when they are held; all others are seen, so that they are not mistaken for one of these, but never performed.
  public let counted: Set<FaceExpression>
  /// `true` if the eyelids of a wink are compared with the face at rest; otherwise their coefficients are used as measured.
  let relativeEyelids: Bool

  /// Limits of a smooch: lips that are pressed in, as measured, and smiles round the mouth too.
  private static let largestLipRoll: Float = 0.25
  private static let largestSmoochSmile: Float = 0.2
  /// Difference of the corners of the mouth from which a smile is one-sided, and by how much more the eye above the higher corner must
  /// then be closed in a wink: the cheek narrows it.
  private static let onesided: Float = 0.25
  private static let onesidedClosing: Float = 0.05
  /// Minimum difference of the eyelids of a wink as measured, whatever the eyes are at rest.
  private static let leastDifference: Float = 0.08

  /// Returns `nil` if a value is outside its documented range. The defaults are the levels for `phone`.
  public init?(
    tongue: HysteresisThreshold? = HysteresisThreshold(enter: 0.3, release: 0.2),
    winkClosed: HysteresisThreshold? = HysteresisThreshold(enter: 0.8, release: 0.7),
    winkOpen: HysteresisThreshold? = HysteresisThreshold(enter: 0.7, release: 0.6),
    winkDifference: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4), winkSquint: Float = 0,
    relativeEyelids: Bool = true,
    smooch: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4),
    smoochJaw: HysteresisThreshold? = HysteresisThreshold(enter: 0.9, release: 0.85),
    surpriseJaw: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4),
    surpriseBrow: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4),
    surpriseEyes: HysteresisThreshold? = HysteresisThreshold(enter: 0.4, release: 0.3),
    smile: HysteresisThreshold? = HysteresisThreshold(enter: 0.6, release: 0.5), neutralMouth: Float = 0.35,
    neutralEyeDifference: Float = 0.3,
    hold: Interval = .milliseconds(400), smoochHold: Interval = .milliseconds(400),
    longestGap: Interval = .milliseconds(300), counted: Set<FaceExpression> = Set(FaceExpression.allCases)
  ) {
    let holds = Interval.milliseconds(100)...Interval.seconds(5)
    guard let tongue, let winkClosed, let winkOpen, let winkDifference, (0...1).contains(winkSquint), let smooch,
      let smoochJaw, let surpriseJaw, let surpriseBrow, let surpriseEyes, let smile, (0.05...1).contains(neutralMouth),
      (0.05...1.5).contains(neutralEyeDifference), holds.contains(hold), holds.contains(smoochHold),
      (Interval.milliseconds(50)...Interval.seconds(2)).contains(longestGap)
    else { return nil }
    self.tongue = tongue
    self.winkClosed = winkClosed
    self.winkOpen = winkOpen
    self.winkDifference = winkDifference
    self.winkSquint = winkSquint
    self.relativeEyelids = relativeEyelids
    self.smooch = smooch
    self.smoochJaw = smoochJaw
    self.surpriseJaw = surpriseJaw
    self.surpriseBrow = surpriseBrow
    self.surpriseEyes = surpriseEyes
    self.smile = smile
    self.neutralMouth = neutralMouth
    self.neutralEyeDifference = neutralEyeDifference
    self.hold = hold
    self.smoochHold = smoochHold
    self.longestGap = longestGap
    self.counted = counted
  }

  /// Returns the default settings for a source; Documentation/reports/Expressions.md describes how they were chosen.
  public static func standard(_ source: ExpressionSource) -> ExpressionSettings {
    switch source {
    case .phone: phone
    case .tracker: tracker
    }
  }

  /// Returns the settings for performances: the standard ones, with the expressions that the source measures reliably enough to lock
  /// messages with them (``ExpressionSource/reliable``).
  public static func performing(_ source: ExpressionSource) -> ExpressionSettings {
    switch source {
    case .phone: phone
    case .tracker: performingTracker
    }
  }

  private static let phone = checked(ExpressionSettings())
  private static let tracker = tracker(counting: Set(FaceExpression.allCases))
  private static let performingTracker = tracker(counting: ExpressionSource.tracker.reliable)

  /// The model's eyelid coefficients follow the gaze and rarely reach 0.6 in a wink, so the difference decides.
  private static func tracker(counting counted: Set<FaceExpression>) -> ExpressionSettings {
    checked(
      ExpressionSettings(
        tongue: HysteresisThreshold(enter: 0.4, release: 0.3),
        winkClosed: HysteresisThreshold(enter: 0.28, release: 0.25),
        winkOpen: HysteresisThreshold(enter: 0.58, release: 0.5),
        winkDifference: HysteresisThreshold(enter: 0.18, release: 0.12), winkSquint: 0.3, relativeEyelids: false,
        surpriseJaw: HysteresisThreshold(enter: 0.3, release: 0.2),
        surpriseBrow: HysteresisThreshold(enter: 0.45, release: 0.35),
        surpriseEyes: HysteresisThreshold(enter: 0.12, release: 0.06), neutralEyeDifference: 0.15,
        smoochHold: .milliseconds(600), counted: counted))
  }

  private static func checked(_ settings: ExpressionSettings?) -> ExpressionSettings {
    guard let settings else { preconditionFailure("the defaults are within their own ranges") }
    return settings
  }

  /// Returns the time for which this expression must be held.
  func hold(of expression: FaceExpression) -> Interval { expression == .smooch ? smoochHold : hold }
}

extension ExpressionSettings {
  private typealias Lane = ExpressionCoefficients.Lane

  /// Returns the first expression, in the order documented for the settings, that matches the coefficients, or `nil`.
  ///
  /// A held expression is compared with its release levels. Absent coefficients are NaN, for which every comparison is false.
  ///
  /// - Parameters:
  ///   - look: coefficients relative to the face at rest.
  ///   - raw: coefficients as measured.
  func expression(
    in look: ExpressionCoefficients, raw: ExpressionCoefficients, held: FaceExpression?
  ) -> FaceExpression? {
    if look[Lane.tongue] > tongue.level(held == .tongueOut) { return .tongueOut }
    if isWink(look, raw, left: true, held == .winkLeft) { return .winkLeft }
    if isWink(look, raw, left: false, held == .winkRight) { return .winkRight }
    if isSmooch(look, raw, held == .smooch) { return .smooch }
    if look[Lane.jaw] > surpriseJaw.level(held == .surprise),
      look.brow > surpriseBrow.level(held == .surprise) || raw.wideEyes > surpriseEyes.level(held == .surprise)
    {
      return .surprise
    }
    return look.smile > smile.level(held == .smile) ? .smile : nil
  }

  private func isWink(
    _ look: ExpressionCoefficients, _ raw: ExpressionCoefficients, left: Bool, _ isHeld: Bool
  ) -> Bool {
    let (closed, open) = left ? (Lane.blinkLeft, Lane.blinkRight) : (Lane.blinkRight, Lane.blinkLeft)
    let eyes = relativeEyelids ? look : raw
    var level = winkClosed.level(isHeld)
    let corners = raw[Lane.smileLeft] - raw[Lane.smileRight]
    if (left ? corners : -corners) > Self.onesided { level += Self.onesidedClosing }
    guard eyes[closed] > level, 1 - eyes[open] > winkOpen.level(isHeld) else { return false }
    return raw[closed] - raw[open] >= Self.leastDifference
      && eyeDifference(look) * (left ? 1 : -1) >= winkDifference.level(isHeld)
  }

  /// Returns by how much more the left eye is closed than the right one, relative to the face at rest.
  private func eyeDifference(_ look: ExpressionCoefficients) -> Float {
    let lids = look[Lane.blinkLeft] - look[Lane.blinkRight]
    let squint = look[Lane.squintLeft] - look[Lane.squintRight]
    return squint.isNaN || winkSquint == 0 ? lids : lids + winkSquint * squint
  }

  private func isSmooch(_ look: ExpressionCoefficients, _ raw: ExpressionCoefficients, _ isHeld: Bool) -> Bool {
    guard look.roundMouth > smooch.level(isHeld) else { return false }
    // The comparisons are negated so that absent coefficients do not prevent a smooch.
    return !(1 - raw[Lane.jaw] <= smoochJaw.level(isHeld)) && !(raw[Lane.lowerLipRoll] >= Self.largestLipRoll)
      && !(look[Lane.smileLeft] >= Self.largestSmoochSmile) && !(look[Lane.smileRight] >= Self.largestSmoochSmile)
  }

  /// Reports whether no measured coefficient indicates an expression.
  func isNeutral(_ look: ExpressionCoefficients) -> Bool {
    // The comparisons are negated so that absent coefficients do not prevent a neutral face.
    !(abs(eyeDifference(look)) >= neutralEyeDifference) && !(look[Lane.tongue] >= neutralMouth)
      && !(look[Lane.jaw] >= neutralMouth) && !(look.smile >= neutralMouth)
  }
}
