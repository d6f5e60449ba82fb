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
