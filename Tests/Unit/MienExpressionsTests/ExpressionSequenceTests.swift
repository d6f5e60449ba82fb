import MienExpressions
import Testing

@Suite struct `Expression sequences` {
  @Test func `the original format is read and written`() throws {
    let text = "wink_l,tongue_out,surprise,smile,smooch"
    let sequence = try ExpressionSequence(text: text)
    #expect(sequence.steps == [.winkLeft, .tongueOut, .surprise, .smile, .smooch] && sequence.text == text)
    #expect(FaceExpression.allCases.map(\.text) == ["wink_l", "tongue_out", "surprise", "wink_r", "smile", "smooch"])
    for expression in FaceExpression.allCases { #expect(FaceExpression(text: expression.text) == expression) }
  }

  @Test(arguments: [
    ("", SequenceError.Code.tooShort, 0), ("smile", .tooShort, 1), ("smile,smooch", .tooShort, 2),
    ("smile,smooch,grin", .unknownName, 3), ("Smile,smooch,wink_l", .unknownName, 1),
    ("smile, smooch,wink_l", .unknownName, 2), ("smile,,smooch", .unknownName, 2),
    ("smile,smooch,wink_l,", .unknownName, 4),
    (",smile,smooch,wink_l", .unknownName, 1), ("smile,smile,wink_l", .repeated, 2),
    ("smile,wink_l,wink_l,smile", .repeated, 3), ("smile;smooch;wink_l", .unknownName, 1),
    ("smile\n,smooch,wink_l", .unknownName, 1), ("smile,smooch,wink_l\0", .unknownName, 3),
    (Array(repeating: "smile,smooch", count: 7).joined(separator: ","), .tooLong, 14),
    (String(repeating: "x", count: 100_000), .tooLong, 12), ("ѕmile,smooch,wink_l", .unknownName, 1),
  ])
  func `an invalid sequence is rejected with its reason`(_ text: String, _ code: SequenceError.Code, _ step: Int) {
    let refusal = #expect(throws: SequenceError.self) { try ExpressionSequence(text: text) }
    #expect(refusal?.code == code && refusal?.step == step)
  }

  @Test func `the number of sequences of five matches the original`() {
    func count(_ steps: [FaceExpression]) -> Int {
      guard steps.count < 5 else { return (try? ExpressionSequence(steps)) == nil ? 0 : 1 }
      return FaceExpression.allCases.reduce(0) { $0 + count(steps + [$1]) }
    }
    #expect(count([]) == 3750)
  }

  @Test func `a recorder fills every step and rejects repeated expressions`() throws {
    var recorder = try #require(SequenceRecorder())
    #expect(recorder.length == 5 && recorder.sequence == nil)
    #expect(recorder.record(.smile) == .recorded && recorder.record(.smile) == .sameAsBefore)
    #expect(recorder.record(.smooch) == .recorded && recorder.record(.smile) == .recorded)
    #expect(recorder.record(.winkLeft) == .recorded && recorder.record(.winkLeft) == .sameAsBefore)
    let sequence = try ExpressionSequence([.smile, .smooch, .smile, .winkLeft, .winkRight])
    #expect(recorder.record(.winkRight) == .complete(sequence) && recorder.record(.smile) == .alreadyComplete)
    recorder.reset()
    #expect(recorder.steps.isEmpty && !recorder.isComplete)
    for length in [-1, 0, 2, 13] { #expect(SequenceRecorder(length: length) == nil) }
    for length in 3...12 { #expect(SequenceRecorder(length: length)?.length == length) }
  }

  @Test func `a match requires every step and no more`() throws {
    let expected = try ExpressionSequence([.smile, .smooch, .winkLeft])
    #expect(SequenceMatch(performed: [.smile, .smooch, .winkLeft], with: expected).matches)
    for performed: [FaceExpression] in [
      [], [.smile, .smooch], [.smile, .smooch, .winkRight], [.smooch, .smooch, .winkLeft],
      [.smile, .smooch, .winkLeft, .smile],
    ] {
      let match = SequenceMatch(performed: performed, with: expected)
      #expect(!match.matches && match.performed == performed)
    }
  }

  @Test func `printing reveals no face data or secret`() throws {
    let sequence = try ExpressionSequence([.smile, .smooch, .winkLeft])
    var actor = Actor()
    actor.hold(Actor.shape(.smile), 1)
    var machine = ExpressionDetector(source: .phone)
    _ = machine.process(all: actor.samples)
    let match = SequenceMatch(performed: [.smile], with: sequence)
    let things: [Any] = [
      sequence, machine, match, actor.samples[0], actor.samples[0].sight,
    ]
    for thing in things {
      var dumped = ""
      dump(thing, to: &dumped)
      for text in ["\(thing)", String(reflecting: thing), dumped] {
        #expect(text.contains("withheld") && !text.contains("smile") && !text.contains("0."), "\(type(of: thing))")
      }
    }
  }
}
