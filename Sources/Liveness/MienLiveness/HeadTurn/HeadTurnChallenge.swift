public import MienCore

/// What to ask: to which side the head shall turn.
public enum HeadTurnChallenge {
  /// Chooses a side by chance; both are equally likely.
  public static func choose(using generator: inout some RandomNumberGenerator) -> Side {
    Bool.random(using: &generator) ? .subjectLeft : .subjectRight
  }
}
