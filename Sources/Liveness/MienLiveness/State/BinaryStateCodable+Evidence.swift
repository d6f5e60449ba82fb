public import MienCore

extension HeadTurnEvidence: BinaryStateValue {
  public static var blank: HeadTurnEvidence {
    HeadTurnEvidence(
      outboundPath: [], returnPath: [], meanChangeOut: nil, meanChangeBack: nil, wrongOutbound: 0, wrongReturn: 0,
      unsteadiness: 0, peakYaw: nil, duration: .zero)
  }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var paths = (out: outboundPath, back: returnPath)
    var changes = (out: meanChangeOut, back: meanChangeBack)
    var wrong = (out: wrongOutbound, back: wrongReturn)
    var (unsteadiness, peakYaw, duration) = (unsteadiness, peakYaw, duration)
    coder.pass(&paths.out)
    coder.pass(&paths.back)
    coder.pass(&changes.out)
    coder.pass(&changes.back)
    coder.pass(&wrong.out)
    coder.pass(&wrong.back)
    coder.pass(&unsteadiness)
    coder.pass(&peakYaw)
    coder.pass(&duration)
    self = HeadTurnEvidence(
      outboundPath: paths.out, returnPath: paths.back, meanChangeOut: changes.out, meanChangeBack: changes.back,
      wrongOutbound: wrong.out, wrongReturn: wrong.back, unsteadiness: unsteadiness, peakYaw: peakYaw,
      duration: duration)
  }
}

extension TaskEvidence: BinaryStateValue {
  public static var blank: TaskEvidence {
    TaskEvidence(kind: .headTurn, events: [], samples: 0, faces: 0, native: nil, duration: .zero, turn: nil)
  }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (kind, events, samples, faces) = (kind, events, samples, faces)
    var (native, duration, turn) = (native, duration, turn)
    coder.pass(choice: &kind)
    coder.pass(&events)
    coder.pass(&samples)
    coder.pass(&faces)
    coder.pass(&native)
    coder.pass(&duration)
    coder.pass(&turn)
    self = TaskEvidence(
      kind: kind, events: events, samples: samples, faces: faces, native: native, duration: duration, turn: turn)
  }
}

extension TaskEvent: BinaryStateValue {
  public static var blank: TaskEvent { TaskEvent(after: .zero, what: .settled) }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (after, tag, number, motion) = (after, 0, 0, Motion.nod)
    switch what {
    case .settled: tag = 0
    case .answered(let isYes): (tag, number) = (1, isYes ? 1 : 0)
    case .motion(let done): (tag, motion) = (2, done)
    case .waypoint(let index): (tag, number) = (3, index)
    }
    coder.pass(&after)
    coder.pass(&tag)
    coder.pass(&number)
    coder.pass(choice: &motion)
    coder.require((0...3).contains(tag))
    self = TaskEvent(
      after: after,
      what: tag == 0 ? .settled : tag == 1 ? .answered(number == 1) : tag == 2 ? .motion(motion) : .waypoint(number))
  }
}
