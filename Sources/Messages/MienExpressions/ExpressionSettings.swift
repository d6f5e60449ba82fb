public import MienCore

/// What counts as which expression. A value of this type is always sensible: the initialiser refuses nonsense.
///
/// The levels are shares of a coefficient after the person's baseline was taken off, nominally 0…1. Expressions are looked
/// for in the order tongue, winks, smooch, surprise, smile: the most telling first, since a tongue also opens the jaw.
public struct ExpressionSettings: Hashable, Sendable {
  /// A version for records; change it whenever a default changes.
  public static let version = "expressions-1"

  /// `tongueOut`.
  public let tongue: HysteresisThreshold
  /// The closed eye of a wink (`eyeBlink…`).
  public let winkClosed: HysteresisThreshold
  /// The other eye of a wink must stay below 1 − this level: the share by which it is open.
  public let winkOpen: HysteresisThreshold
  /// By how much the closed eye must exceed the open one.
  public let winkDifference: HysteresisThreshold
  /// The larger of `mouthPucker` and, on a phone, `cheekPuff`; from the tracker `mouthFunnel`.
  public let smooch: HysteresisThreshold
  /// `jawOpen` of a surprise.
  public let surpriseJaw: HysteresisThreshold
  /// The brows of a surprise: the larger of `browInnerUp` and the mean of both `browOuterUp…`.
  public let surpriseBrow: HysteresisThreshold
  /// The lesser of both `mouthSmile…`.
  public let smile: HysteresisThreshold
  /// Mouth and tongue are neutral below this. 0.05…1.
  public let neutralMouth: Float
  /// Brows are neutral below this. 0.05…1.
  public let neutralBrow: Float
  /// Eyes are neutral while both are below this. 0.05…1.5.
  public let neutralEye: Float
  /// Eyes are neutral while they differ by less than this. 0.05…1.5.
  public let neutralEyeDifference: Float
  /// How long an expression is held before it counts. 0.1…5 s.
  public let hold: Interval
  /// The longest time between two observations over which an expression counts as held. 0.05…2 s.
  public let longestGap: Interval

  /// Refuses (nil) values outside the ranges that the properties document. The defaults are the levels of `phone`.
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

  /// The defaults for a source; Documentation/Expressions.md says how they were chosen.
  public static func standard(_ source: ExpressionSource) -> ExpressionSettings {
    switch source {
    case .phone: phone
    case .tracker: tracker
    }
  }

  private static let phone = checked(ExpressionSettings())

  /// The model's lids follow the gaze and rest as high as 0.6, and never reach 0.8 in a wink: here the difference tells.
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
