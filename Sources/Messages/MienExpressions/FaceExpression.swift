/// The six expressions that a message is locked with. Sides are the subject's own.
///
/// The order is the one of the avatars' sheets: from left to right, then from top to bottom.
public enum FaceExpression: UInt8, Hashable, Sendable, CaseIterable {
  case winkLeft
  case tongueOut
  case surprise
  case winkRight
  case smile
  case smooch

  /// The name in sequences, files and interfaces, for example `wink_l`.
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

  /// The expression with this name, spelled exactly so, or nil.
  public init?(text: some StringProtocol) {
    guard let expression = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = expression
  }
}
