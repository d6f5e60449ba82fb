internal import MienModel

/// Counts the blinks of a ``BlinkTask``.
struct BlinkTracker: Hashable, Sendable {
  /// Degrees of yaw, pitch or roll away from rest beyond which the eyes are not judged: their coefficients follow the
  /// head there.
  static let judgedWithin: Float = 20

  let asked: Int
  private(set) var done = 0
  private let settings: BlinkSettings
  private var counter = BlinkCounter()

  init(_ task: BlinkTask) {
    asked = task.blinks
    settings = task.settings
  }

  mutating func saw(_ look: TaskLook, _ events: inout TaskEvents) -> TrackerStep {
    let pose = look.pose
    guard abs(pose.x) <= Self.judgedWithin, !(abs(pose.y) > Self.judgedWithin), !(abs(pose.z) > Self.judgedWithin)
    else {
      counter.forget(look.eyes, at: look.at)
      return .going
    }
    let blink = counter.saw(look.eyes, at: look.at, settings)
    if counter.isNoPairOfEyes(settings) { return .failed(.wrongMovement) }
    guard let blink, !blink.isLong else { return .going }
    done += 1
    events.add(.motion(.blink), at: look.at)
    return done == asked ? .done : .going
  }

  var progress: Float { Float(done) / Float(asked) }
}

extension BlinkTracker: Taped {
  mutating func pass(over tape: inout StateTape) {
    tape.pass(&done)
    tape.pass(&counter)
  }
}
