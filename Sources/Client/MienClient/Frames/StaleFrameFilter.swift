internal import MienCore

/// Lets frames of the present through and drops those of the past.
///
/// The server refuses frames older than the one before, and holds the device's clock against its own; what waited in a
/// queue or for the network to come back would make a check fail that a fresh frame passes.
struct StaleFrameFilter {
  /// How old a frame may be when it goes out.
  let oldest: Interval
  private var first: (captured: MonotonicInstant, sent: MonotonicInstant)?
  private var last: MonotonicInstant?

  init(oldest: Interval) {
    self.oldest = oldest
  }

  /// The frame's time since the first one, or nil when it is to be dropped.
  ///
  /// - Parameters:
  ///   - captured: on the source's clock.
  ///   - now: on the check's clock; the two need not have the same origin.
  mutating func admit(_ captured: MonotonicInstant, at now: MonotonicInstant) -> Interval? {
    if let last, captured <= last { return nil }
    guard let first else {
      first = (captured, now)
      last = captured
      return .zero
    }
    let sinceFirst = captured.since(first.captured)
    guard now.since(first.sent).inSeconds - sinceFirst.inSeconds <= oldest.inSeconds else { return nil }
    last = captured
    return sinceFirst
  }
}
