internal import MienCore

/// Counts the blinks of a ``BlinkTask``.
struct BlinkTracker: Hashable, Sendable {
  /// Maximum yaw, pitch, or roll in degrees from the rest pose at which the eyes are evaluated. Beyond it the eye coefficients follow the
  /// head.
  static let judgedWithin: Float = 20

  let asked: Int
  private(set) var done = 0
  private let settings: BlinkSettings
  private var counter = BlinkDetector()

  init(_ task: BlinkTask) {
    asked = task.blinks
    settings = task.settings
  }

  mutating func process(_ look: TrackerSample, _ events: inout TaskEventLog) -> TrackerUpdate {
    let pose = look.pose
    guard abs(pose.x) <= Self.judgedWithin, !(abs(pose.y) > Self.judgedWithin), !(abs(pose.z) > Self.judgedWithin)
    else {
      counter.remove(look.eyes, at: look.at)
      return .going
    }
    let blink = counter.process(look.eyes, at: look.at, settings)
    if counter.isNoPairOfEyes(settings) { return .failed(.wrongMovement) }
    guard let blink, !blink.isLong else { return .going }
    done += 1
    events.add(.motion(.blink), at: look.at)
    return done == asked ? .done : .going
  }

  var progress: Float { Float(done) / Float(asked) }
}

extension BlinkTracker: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&done)
    coder.pass(&counter)
  }
}
