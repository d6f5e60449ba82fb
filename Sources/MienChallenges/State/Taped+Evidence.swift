public import MienModel

extension HeadTurnEvidence: TapedValue {
  public static var blank: HeadTurnEvidence {
    HeadTurnEvidence(
      wayOut: [], wayBack: [], meanChangeOut: nil, meanChangeBack: nil, wrongWayOut: 0, wrongWayBack: 0,
      unsteadiness: 0, peakYaw: nil, duration: .zero)
  }
  public mutating func pass(over tape: inout StateTape) {
    var ways = (out: wayOut, back: wayBack)
    var changes = (out: meanChangeOut, back: meanChangeBack)
    var wrong = (out: wrongWayOut, back: wrongWayBack)
    var (unsteadiness, peakYaw, duration) = (unsteadiness, peakYaw, duration)
    tape.pass(&ways.out)
    tape.pass(&ways.back)
    tape.pass(&changes.out)
    tape.pass(&changes.back)
    tape.pass(&wrong.out)
    tape.pass(&wrong.back)
    tape.pass(&unsteadiness)
    tape.pass(&peakYaw)
    tape.pass(&duration)
    self = HeadTurnEvidence(
      wayOut: ways.out, wayBack: ways.back, meanChangeOut: changes.out, meanChangeBack: changes.back,
      wrongWayOut: wrong.out, wrongWayBack: wrong.back, unsteadiness: unsteadiness, peakYaw: peakYaw,
      duration: duration)
  }
}

extension TaskEvidence: TapedValue {
  public static var blank: TaskEvidence {
    TaskEvidence(kind: .headTurn, events: [], samples: 0, faces: 0, native: nil, duration: .zero, turn: nil)
  }
  public mutating func pass(over tape: inout StateTape) {
    var (kind, events, samples, faces) = (kind, events, samples, faces)
    var (native, duration, turn) = (native, duration, turn)
    tape.pass(choice: &kind)
    tape.pass(&events)
    tape.pass(&samples)
    tape.pass(&faces)
    tape.pass(&native)
    tape.pass(&duration)
    tape.pass(&turn)
    self = TaskEvidence(
      kind: kind, events: events, samples: samples, faces: faces, native: native, duration: duration, turn: turn)
  }
}

extension TaskEvent: TapedValue {
  public static var blank: TaskEvent { TaskEvent(after: .zero, what: .settled) }
  public mutating func pass(over tape: inout StateTape) {
    var (after, tag, number, motion) = (after, 0, 0, Motion.nod)
    switch what {
    case .settled: tag = 0
    case .answered(let isYes): (tag, number) = (1, isYes ? 1 : 0)
    case .motion(let done): (tag, motion) = (2, done)
    case .waypoint(let index): (tag, number) = (3, index)
    }
    tape.pass(&after)
    tape.pass(&tag)
    tape.pass(&number)
    tape.pass(choice: &motion)
    tape.require((0...3).contains(tag))
    self = TaskEvent(
      after: after,
      what: tag == 0 ? .settled : tag == 1 ? .answered(number == 1) : tag == 2 ? .motion(motion) : .waypoint(number))
  }
}
