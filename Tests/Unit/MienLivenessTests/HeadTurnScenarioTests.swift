import MienLiveness
import MienCore
import Testing

/// Scenarios of the specification of this challenge, by their names, on both sides where a side is specified.
@Suite struct `Head-turn scenarios` {
  struct Scenario: CustomTestStringConvertible, Sendable {
    let name: String
    let side: Side
    let yaws: [Float]
    let state: HeadTurnStateMachine.State
    /// State after the timeout; `nil` if the verdict is already final.
    var atDeadline: HeadTurnStateMachine.State?
    var testDescription: String { "\(name), \(side.rawValue)" }
  }

  static let scenarios: [Scenario] = [
    Scenario(
      name: "Turn Left Success", side: .subjectLeft, yaws: [0, -2, 3, 10, 20, 26, 15, 10, 4], state: .success),
    Scenario(
      name: "Turn Right Success", side: .subjectRight, yaws: [0, 2, -3, -10, -20, -28, -15, -10, -4], state: .success),
    Scenario(
      name: "Failure (Wrong Turn)", side: .subjectLeft, yaws: [0, -10, -20], state: .tracking(.turningOut),
      atDeadline: .timedOut(.turnedTooLittle)),
    Scenario(
      name: "Failure (Wrong Turn)", side: .subjectLeft, yaws: [0, -10, -20, -26], state: .failed(.wrongDirection)),
    Scenario(
      name: "Failure (Wrong Turn)", side: .subjectRight, yaws: [0, 10, 20, 26], state: .failed(.wrongDirection)),
    Scenario(
      name: "Failure (Insufficient Turn)", side: .subjectLeft, yaws: [0, 5, 10, 15, 10, 5],
      state: .tracking(.turningOut), atDeadline: .timedOut(.turnedTooLittle)),
    Scenario(
      name: "Failure (No Return)", side: .subjectLeft, yaws: [0, 5, 10, 28, 30, 28], state: .tracking(.turningBack),
      atDeadline: .timedOut(.didNotReturn)),
    Scenario(
      name: "Failure (Static Pose) held in P1", side: .subjectLeft, yaws: [0, 0, 0, 0, 0, 0],
      state: .tracking(.turningOut), atDeadline: .timedOut(.timedOut)),
    Scenario(
      name: "Failure (Static Pose) held in P2", side: .subjectLeft, yaws: [0, 10, 20, 28, 28, 28, 28],
      state: .tracking(.turningBack), atDeadline: .timedOut(.didNotReturn)),
    Scenario(
      name: "Failure (Static Pose) the way out played backwards", side: .subjectLeft,
      yaws: [0, 10, 20, 28, 28, 20, 10, 0], state: .failed(.static)),
  ]

  @Test(arguments: scenarios) func `each scenario ends in its planned state`(_ scenario: Scenario) {
    var machine = HeadTurnStateMachine.tracking(scenario.side)
    machine.process(all: Footage(scenario.yaws).samples)
    #expect(machine.state == scenario.state)
    if let atDeadline = scenario.atDeadline {
      // The pose is held until the timeout.
      var footage = Footage(scenario.yaws)
      footage.hold(scenario.yaws.last.map { $0 } ?? .nan, for: 11)
      var held = HeadTurnStateMachine.tracking(scenario.side)
      held.process(all: footage.samples)
      #expect(held.state == atDeadline)
    }
  }

  @Test func `evidence contains both ways of the turn`() {
    var machine = HeadTurnStateMachine.tracking(.subjectRight)
    machine.process(all: Footage([0, 2, -3, -10, -20, -28, -15, -10, -4]).samples)
    let evidence = machine.evidence
    #expect(evidence.outboundPath == [-3, -10, -20, -28])
    #expect(evidence.returnPath == [-15, -10, -4])
    #expect(evidence.meanChangeOut.map { abs($0 + 25 / 3) < 0.001 } == true)
    #expect(evidence.meanChangeBack.map { abs($0 - 8) < 0.001 } == true)
    #expect(evidence.peakYaw == -28)
    #expect(evidence.duration == .milliseconds(800))
    #expect(evidence.unsteadiness == 0)
  }
}
