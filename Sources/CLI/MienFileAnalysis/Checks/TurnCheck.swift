package import MienCore
package import MienLiveness

/// Offline check of one head turn: to a given side, or to the side that the input shows.
package struct TurnCheck {
  private var checks: [(side: Side, check: OfflineCheck)]

  /// - Parameter side: side to turn to; `nil` to find out which.
  package init(side: Side?, settings: CheckSettings) {
    let sides = side.map { [$0] } ?? [.subjectLeft, .subjectRight]
    checks = sides.map { ($0, OfflineCheck(side: $0, settings: settings)) }
  }

  package var isOver: Bool {
    checks.contains { $0.check.hasPassed } || checks.allSatisfy(\.check.isOver)
  }

  package mutating func process(_ observation: FaceObservation) {
    for index in checks.indices where !checks[index].check.isOver { checks[index].check.process(observation) }
  }

  package mutating func process(_ claim: ClientObservation) {
    for index in checks.indices where !checks[index].check.isOver { checks[index].check.process(claim) }
  }

  /// Returns the outcome, and the side that it is about: `nil` if none was given and the input shows no turn.
  package mutating func finish() -> (side: Side?, outcome: OfflineOutcome) {
    let outcomes = checks.indices.map { (side: checks[$0].side, outcome: checks[$0].check.finish()) }
    if outcomes.count == 1 { return (outcomes[0].side, outcomes[0].outcome) }
    if let passed = outcomes.first(where: { $0.outcome.exitCode == 0 }) { return (passed.side, passed.outcome) }
    // A turn to one side is a turn in the wrong direction for the other.
    let others = outcomes.filter { !$0.outcome.isWrongDirection }
    if others.count == 1 { return (others[0].side, others[0].outcome) }
    return (nil, outcomes[0].outcome)
  }
}
