import MienLiveness
import MienCore

/// Recording of a simulated user who performs a task, and its result.
struct TaskRecording {
  var samples: [TaskSample] = []
  var state = TaskStateMachine.State.issued

  /// Records the user performing the task according to the prompts.
  init(of task: LivenessTask, by person: TaskPerson, fps: Double, generator: inout SeededGenerator) {
    var person = person
    if case .yesOrNo(let task) = task {
      for question in task.questions where person.answers[question.id] == nil {
        person.answers[question.id] = question.answer
      }
    }
    var machine = TaskStateMachine(task)
    machine.beginTracking(at: .zero)
    var time = 0.05
    while !machine.isOver, time < 320 {
      let face = person.face(at: time, showing: machine.prompt, &generator)
      let sample = TaskSample(at: .after(time), sight: .face(face))
      samples.append(sample)
      _ = machine.process(sample)
      time += (1 / fps) * .random(in: 0.85...1.15, using: &generator)
    }
    state = machine.state
  }

  init(_ samples: [TaskSample]) { self.samples = samples }

  /// Returns the state machine of a task after processing the recording, including the time until its timeout.
  func judged(as task: LivenessTask) -> TaskStateMachine {
    var machine = TaskStateMachine(task)
    machine.beginTracking(at: .zero)
    for sample in samples where !machine.isOver { _ = machine.process(sample) }
    if !machine.isOver { _ = machine.tick(at: .after(400)) }
    return machine
  }
}
