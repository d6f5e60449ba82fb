public import MienModel

/// What to ask: to which side the head shall turn.
public enum HeadTurnChallenge {
  /// Chooses a side by chance; both are equally likely.
  public static func choose(using dice: inout some RandomNumberGenerator) -> Side {
    Bool.random(using: &dice) ? .subjectLeft : .subjectRight
  }
}
