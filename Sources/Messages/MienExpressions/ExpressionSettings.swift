public import MienCore

/// Settings for detecting expressions. The initializer validates every value.
///
/// Levels are coefficients after the subject's baseline was subtracted, nominally 0…1. Expressions are tested in the order tongue, winks,
/// smooch, surprise, smile: the most specific first, because a tongue also opens the jaw.
public struct ExpressionSettings: Hashable, Sendable {
  /// Version for records; change it whenever a default changes.
  public static let version = "expressions-1"

  /// Level of `tongueOut`.
  public let tongue: HysteresisThreshold
  /// Level of the closed eye of a wink (`eyeBlink…`).
  public let winkClosed: HysteresisThreshold
  /// Openness of the other eye in a wink: its coefficient must stay below 1 − this level.
  public let winkOpen: HysteresisThreshold
  /// Minimum difference between the closed and the open eye.
  public let winkDifference: HysteresisThreshold
  /// Larger of `mouthPucker` and `cheekPuff` (phone) or `mouthFunnel` (tracker).
  public let smooch: HysteresisThreshold
  /// Level of `jawOpen` for a surprise.
  public let surpriseJaw: HysteresisThreshold
  /// Brow level for a surprise: the larger of `browInnerUp` and the mean of both `browOuterUp…`.
  public let surpriseBrow: HysteresisThreshold
  /// Smaller of both `mouthSmile…`.
  public let smile: HysteresisThreshold
  /// Level below which mouth and tongue are neutral, 0.05…1.
  public let neutralMouth: Float
  /// Level below which the brows are neutral, 0.05…1.
  public let neutralBrow: Float
  /// Level below which both eyes must be to be neutral, 0.05…1.5.
  public let neutralEye: Float
  /// Difference below which the two eyes must be to be neutral, 0.05…1.5.
  public let neutralEyeDifference: Float
  /// Time for which an expression must be held, 0.1…5 s.
  public let hold: Interval
  /// Maximum time between two observations across which an expression counts as held, 0.05…2 s.
  public let longestGap: Interval

  /// Returns `nil` if a value is outside its documented range. The defaults are the levels for `phone`.
  public init?(
    tongue: HysteresisThreshold? = HysteresisThreshold(enter: 0.3, release: 0.2),
    winkClosed: HysteresisThreshold? = HysteresisThreshold(enter: 0.8, release: 0.7),
    winkOpen: HysteresisThreshold? = HysteresisThreshold(enter: 0.7, release: 0.6),
    winkDifference: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4),
    smooch: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4),
    surpriseJaw: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4),
    surpriseBrow: HysteresisThreshold? = HysteresisThreshold(enter: 0.5, release: 0.4),
    smile: HysteresisThreshold? = HysteresisThreshold(enter: 0.6, release: 0.5), neutralMouth: Float = 0.3,
    neutralBrow: Float = 0.3, neutralEye: Float = 0.3, neutralEyeDifference: Float = 0.3,
    hold: Interval = .milliseconds(400), longestGap: Interval = .milliseconds(300)
  ) {
    guard let tongue, let winkClosed, let winkOpen, let winkDifference, let smooch, let surpriseJaw, let surpriseBrow,
      let smile, (0.05...1).contains(neutralMouth), (0.05...1).contains(neutralBrow),
      (0.05...1.5).contains(neutralEye), (0.05...1.5).contains(neutralEyeDifference),
      (Interval.milliseconds(100)...Interval.seconds(5)).contains(hold),
      (Interval.milliseconds(50)...Interval.seconds(2)).contains(longestGap)
    else { return nil }
    self.tongue = tongue
    self.winkClosed = winkClosed
    self.winkOpen = winkOpen
    self.winkDifference = winkDifference
    self.smooch = smooch
    self.surpriseJaw = surpriseJaw
    self.surpriseBrow = surpriseBrow
    self.smile = smile
    self.neutralMouth = neutralMouth
    self.neutralBrow = neutralBrow
    self.neutralEye = neutralEye
    self.neutralEyeDifference = neutralEyeDifference
    self.hold = hold
    self.longestGap = longestGap
  }

  /// Returns the default settings for a source; Documentation/guides/Expressions.md describes how they were chosen.
  public static func standard(_ source: ExpressionSource) -> ExpressionSettings {
    switch source {
    case .phone: phone
    case .tracker: tracker
    }
  }

  private static let phone = checked(ExpressionSettings())

  /// The model's eyelid coefficients follow the gaze, rest as high as 0.6, and never reach 0.8 in a wink, so the difference decides.
  private static let tracker = checked(
    ExpressionSettings(
      tongue: HysteresisThreshold(enter: 0.5, release: 0.35),
      winkClosed: HysteresisThreshold(enter: 0.4, release: 0.35),
      winkOpen: HysteresisThreshold(enter: 0.58, release: 0.5),
      winkDifference: HysteresisThreshold(enter: 0.27, release: 0.2),
      smooch: HysteresisThreshold(enter: 0.6, release: 0.5), surpriseJaw: HysteresisThreshold(enter: 0.4, release: 0.3),
      surpriseBrow: HysteresisThreshold(enter: 0.5, release: 0.4), neutralBrow: 0.5, neutralEye: 0.8,
      neutralEyeDifference: 0.2))

  private static func checked(_ settings: ExpressionSettings?) -> ExpressionSettings {
    guard let settings else { preconditionFailure("the defaults are within their own ranges") }
    return settings
  }
}

extension ExpressionSettings {
  private typealias Lane = ExpressionCoefficients.Lane

  /// Returns the first expression, in the order documented for the settings, that matches the coefficients, or `nil`.
  ///
  /// A held expression is compared with its release levels. Absent coefficients are NaN, for which every comparison is false.
  func expression(in look: ExpressionCoefficients, held: FaceExpression?) -> FaceExpression? {
    if look[Lane.tongue] > tongue.level(held == .tongueOut) { return .tongueOut }
    let left = look[Lane.blinkLeft]
    let right = look[Lane.blinkRight]
    if isWink(closed: left, open: right, held == .winkLeft) { return .winkLeft }
    if isWink(closed: right, open: left, held == .winkRight) { return .winkRight }
    if look.roundMouth > smooch.level(held == .smooch) { return .smooch }
    if look[Lane.jaw] > surpriseJaw.level(held == .surprise), look.brow > surpriseBrow.level(held == .surprise) {
      return .surprise
    }
    let lesserSmile = look[Lane.smileLeft] < look[Lane.smileRight] ? look[Lane.smileLeft] : look[Lane.smileRight]
    if lesserSmile > smile.level(held == .smile), look[Lane.smileLeft] > smile.level(held == .smile) { return .smile }
    return nil
  }

  private func isWink(closed: Float, open: Float, _ isHeld: Bool) -> Bool {
    closed > winkClosed.level(isHeld) && 1 - open > winkOpen.level(isHeld)
      && closed - open >= winkDifference.level(isHeld)
  }

  /// Reports whether no measured coefficient indicates an expression.
  func isNeutral(_ look: ExpressionCoefficients) -> Bool {
    let left = look[Lane.blinkLeft]
    let right = look[Lane.blinkRight]
    // The comparisons are negated so that absent coefficients do not prevent a neutral face.
    guard !(left >= neutralEye), !(right >= neutralEye), !(abs(left - right) >= neutralEyeDifference) else {
      return false
    }
    guard !(look.brow >= neutralBrow), !(look[Lane.tongue] >= neutralMouth), !(look.roundMouth >= neutralMouth) else {
      return false
    }
    return !(look[Lane.jaw] >= neutralMouth) && !(look[Lane.smileLeft] >= neutralMouth)
      && !(look[Lane.smileRight] >= neutralMouth)
  }
}
