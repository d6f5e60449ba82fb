public import MienCore

/// Six expressions that lock a message. Sides are the subject's own.
///
/// The order is that of the sprite sheets: from left to right, then from top to bottom.
public enum FaceExpression: UInt8, Hashable, Sendable, CaseIterable {
  case winkLeft
  case tongueOut
  case surprise
  case winkRight
  case smile
  case smooch

  /// Name in sequences, files, and APIs, for example `wink_l`.
  public var text: String {
    switch self {
    case .winkLeft: "wink_l"
    case .tongueOut: "tongue_out"
    case .surprise: "surprise"
    case .winkRight: "wink_r"
    case .smile: "smile"
    case .smooch: "smooch"
    }
  }

  /// Creates the expression with this exact name, or returns `nil`.
  public init?(text: some StringProtocol) {
    guard let expression = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = expression
  }
}

/// Source of the coefficients, which determines the coefficients that are used and their levels.
public enum ExpressionSource: String, Hashable, Sendable, CaseIterable {
  /// ARKit's 52 coefficients as measured by a phone.
  case phone
  /// Coefficients of MediaPipe's model from the server's tracker: `cheekPuff` is always near zero, and the tongue comes from another
  /// model or is absent.
  case tracker

  /// Expressions with which messages can be locked for this source.
  ///
  /// For the tracker, those that reached the goals on recordings of people: at most 5 % missed, at most 0.3 false detections per minute of
  /// speech. Its tongue misses faces that are not turned to the camera and some people altogether, and too few people performed a
  /// surprise to know (Documentation/reports/Expressions.md).
  public var reliable: Set<FaceExpression> {
    switch self {
    case .phone: Set(FaceExpression.allCases)
    case .tracker: [.winkLeft, .winkRight, .smile, .smooch]
    }
  }
}

/// Expression that was held long enough.
public struct RecognizedExpression: Hashable, Sendable {
  public let expression: FaceExpression
  /// Instant at which it was first seen.
  public let began: MonotonicInstant
  /// Instant at which the hold time was reached.
  public let at: MonotonicInstant

  public init(expression: FaceExpression, began: MonotonicInstant, at: MonotonicInstant) {
    self.expression = expression
    self.began = began
    self.at = at
  }
}
