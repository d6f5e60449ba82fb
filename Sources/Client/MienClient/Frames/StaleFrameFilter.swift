internal import MienCore

/// Drops frames that are out of order or too old to send.
///
/// The server rejects frames older than the previous one and compares the device's clock with its own. Without the
/// filter, frames that waited in a queue or for the network would fail a check that fresh frames would pass.
struct StaleFrameFilter {
  /// Maximum age of a frame when it is sent.
  let oldest: Interval
  private var first: (captured: MonotonicInstant, sent: MonotonicInstant)?
  private var last: MonotonicInstant?

  init(oldest: Interval) {
    self.oldest = oldest
  }

  /// Returns the frame's time since the first frame, or `nil` if the frame must be dropped.
  ///
  /// - Parameters:
  ///   - captured: capture time on the source's clock.
  ///   - now: current time on the check's clock; the origins of the two clocks may differ.
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
