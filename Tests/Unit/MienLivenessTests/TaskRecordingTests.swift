import MienLiveness
import MienCore
import Testing

/// Simulated users of every pace, with cameras of every frame rate, who follow the prompts.
@Suite struct `Passing task recordings` {
  struct Row: CustomTestStringConvertible, Sendable {
    let kind: TaskKind
    let difficulty: TaskDifficulty
    var testDescription: String { "\(kind.rawValue), \(difficulty.rawValue)" }
  }

  static let rows = TaskKind.allCases.flatMap { kind in
    TaskDifficulty.allCases.map { Row(kind: kind, difficulty: $0) }
  }

  @Test(arguments: rows) func `a person performing the task passes`(_ row: Row) throws {
    var generator = SeededGenerator(row.testDescription.utf8.count)
    for fps in [10, 15, 24, 30] {
      for _ in 0..<4 {
        let task = try #require(TaskExamples.task(row.kind, row.difficulty, &generator))
        var person = TaskPerson(&generator)
        // At 10 frames per second, the fastest blinks fall between two frames, and a pace allows no second attempt.
        person.blinkLength = max(person.blinkLength, 0.35)
        let recording = TaskRecording(of: task, by: person, fps: Double(fps), generator: &generator)
        #expect(recording.state == .success, "\(fps) frames a second")
        let machine = recording.judged(as: task)
        #expect(machine.state == .success, "a recording is judged like the person")
        #expect(machine.progress == 1)
        guard case .genuine(let measure)? = machine.finding?.result else {
          Issue.record("a completed task must be genuine")
          continue
        }
        #expect(machine.finding?.check == row.kind.rawValue)
        #expect(measure.score.value >= 0.5)
      }
    }
  }

  @Test(arguments: AccessibilityProfile.RawValue(1)...7) func `accessible alternatives can be performed`(_ raw: UInt8)
    throws
  {
    let abilities = AccessibilityProfile(rawValue: raw)
    var generator = SeededGenerator(Int(raw))
    for kind in [TaskKind.headPath, .blink, .headTurn] {
      let task = try #require(TaskExamples.task(kind, .medium, &generator))
      let twin = try #require(task.twin(for: abilities, using: &generator))
      var person = TaskPerson(&generator)
      person.blinkLength = 0.4
      let recording = TaskRecording(of: twin, by: person, fps: 20, generator: &generator)
      #expect(recording.state == .success)
    }
  }
}
