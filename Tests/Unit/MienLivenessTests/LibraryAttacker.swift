import MienCore
import MienLiveness

/// Attacker who plays recordings of one subject to a check, as a virtual camera does, and reads the check's prompts.
struct LibraryAttacker {
  enum Method: String, CaseIterable {
    /// Chooses one recording for each task when its first prompt is shown, and plays it to the end.
    case whole
    /// Cuts to the best recording whenever the prompt changes.
    case cut
  }

  let takes: [RecordedTake]
  let method: Method
  /// Seconds for which the recording that is shown continues after a prompt before the cut.
  let delay: Double
  /// Frames of the recordings at which a subject began to follow a cue.
  private let starts: [Cue: [(take: Int, frame: Int)]]

  init(_ takes: [RecordedTake], _ method: Method, delay: Double = 0) {
    self.delay = delay
    (self.takes, self.method) = (takes, method)
    var starts: [Cue: [(take: Int, frame: Int)]] = [:]
    for (index, take) in takes.enumerated() {
      for mark in take.marks where mark.frame < take.samples.count {
        starts[mark.cue, default: []].append((index, mark.frame))
      }
    }
    self.starts = starts
  }

  /// Returns the state in which the check with this plan ends.
  func play(to plan: TaskPlan, _ generator: inout SeededGenerator) -> CheckStateMachine.State {
    var signals = SimulatedSignals(generator)
    return play(to: plan, &generator, &signals)
  }

  /// Returns the state in which the check with this plan ends; the passive signals process what is shown.
  func play(to plan: TaskPlan, _ generator: inout SeededGenerator, _ signals: inout SimulatedSignals)
    -> CheckStateMachine.State
  {
    var machine = CheckStateMachine(plan: plan, depth: .noDepth)
    var (take, frame) = (Int.random(in: takes.indices, using: &generator), 0)
    var now = MonotonicInstant.zero + .milliseconds(50)
    var (last, seen, changed, chosenFor) = (Cue?.none, Cue?.none, now, -1)
    while !machine.isOver {
      let samples = takes[take].samples
      // At the end of a recording its last frames, which show the subject at rest, are repeated.
      if frame >= samples.count { frame = max(samples.count - 5, 1) }
      let sample = samples[frame]
      if frame > 0 { now = now + max(sample.at.since(samples[frame - 1].at), .milliseconds(1)) }
      let asked = machine.request
      machine.process(TaskSample(at: now, sight: sample.sight), hints: [])
      signals.process(takes[take], frame, at: now, promptChanged: machine.asksAnew(since: asked))
      frame += 1
      if Cue(machine) != seen { (seen, changed) = (Cue(machine), now) }
      guard let cue = Cue(machine), cue != last, now.since(changed).inSeconds >= delay else {
        // The subject waits for the first cue.
        if machine.state != .tracking, chosenFor < machine.position.index {
          frame = min(frame, Self.waiting(takes[take]))
        }
        continue
      }
      last = cue
      switch method {
      case .whole:
        guard machine.position.index > chosenFor else { continue }
        chosenFor = machine.position.index
        (take, frame) = whole(for: cue, machine.current.sequence, &generator)
      case .cut:
        chosenFor = machine.position.index
        if let next = cut(to: cue, from: sample) { (take, frame) = next }
      }
    }
    return machine.state
  }

  /// Index of the frame up to which a recorded subject waits for the first cue.
  private static func waiting(_ take: RecordedTake) -> Int { max((take.marks.first?.frame ?? 2) - 1, 1) }

  /// Returns the recording that fits what is shown best, and its first frame after the cue.
  private func whole(for cue: Cue, _ sequence: [Motion]?, _ generator: inout SeededGenerator) -> (Int, Int) {
    var (best, score) = ([(take: Int, frame: Int)](), -1)
    for (index, take) in takes.enumerated() {
      guard let mark = take.marks.first(where: { $0.cue.isFirst(like: cue) }), mark.frame < take.samples.count else {
        continue
      }
      var fit = mark.cue == cue ? 1 : 0
      if let sequence { fit = zip(take.sequence, sequence).prefix { $0 == $1 }.count }
      if fit > score { (best, score) = ([], fit) }
      if fit == score { best.append((index, mark.frame)) }
    }
    return best.randomElement(using: &generator) ?? (0, 0)
  }

  /// Returns the frame at which a movement that fits the cue begins and which is most like the frame shown last.
  private func cut(to cue: Cue, from shown: TaskSample) -> (Int, Int)? {
    let exact = starts[cue] ?? []
    let near = exact.isEmpty ? starts.filter { cue.end != nil && $0.key.end == cue.end }.flatMap(\.value) : exact
    return near.min { dissimilarity(shown, $0) < dissimilarity(shown, $1) }.map { ($0.take, $0.frame) }
  }

  private func dissimilarity(_ shown: TaskSample, _ start: (take: Int, frame: Int)) -> Float {
    guard case .face(let old) = shown.sight, case .face(let new) = takes[start.take].samples[start.frame].sight else {
      return .infinity
    }
    let difference = SIMD3(new.yaw - old.yaw, (new.pitch ?? 0) - (old.pitch ?? 0), (new.roll ?? 0) - (old.roll ?? 0))
    var square = (difference * difference).sum()
    if let old = old.box, let new = new.box {
      let shift = SIMD2(new.x - old.x, new.y - old.y) / old.width * 60
      square += (shift * shift).sum()
    }
    return square
  }
}

extension Cue {
  /// Returns `true` if both are first cues of the same kind of task.
  func isFirst(like other: Cue) -> Bool {
    switch (self, other) {
    case (.leg(let from, _), .leg(let start, _)): from == -1 && start == -1
    case (.motion, .motion), (.turn, .turn), (.circle, .circle), (.question, .question), (.blinks, .blinks): true
    default: false
    }
  }
}
