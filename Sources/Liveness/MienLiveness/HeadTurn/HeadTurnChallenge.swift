public import MienCore

/// Random selection of the side to turn the head to.
public enum HeadTurnChallenge {
  /// Returns a random side; both sides are equally likely.
  public static func choose(using generator: inout some RandomNumberGenerator) -> Side {
    Bool.random(using: &generator) ? .subjectLeft : .subjectRight
  }
}
