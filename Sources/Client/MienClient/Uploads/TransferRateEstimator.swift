public import MienCore

/// Transfer rate and remaining time, estimated from the last seconds of an upload.
public struct TransferRateEstimator: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    var at: MonotonicInstant
    var sent: Int
  }

  private var marks: [Mark] = []
  private let window: Interval

  /// - Parameter window: time over which the rate is averaged.
  public init(window: Interval = .seconds(10)) {
    self.window = window
  }

  /// Records the total number of bytes sent at a time. A lower total or an earlier time restarts the estimate.
  public mutating func note(_ sent: Int, at now: MonotonicInstant) {
    if let last = marks.last, sent < last.sent || now < last.at { marks = [] }
    marks.append(Mark(at: now, sent: sent))
    // One mark before the window stays, so that the marks cover the whole window.
    while marks.count > 2, now.since(marks[1].at) >= window { marks.removeFirst() }
  }

  /// Bytes per second; `nil` until it can be estimated.
  public var speed: Double? {
    guard let first = marks.first, let last = marks.last, last.sent > first.sent else { return nil }
    let seconds = last.at.since(first.at).inSeconds
    return seconds > 0 ? Double(last.sent - first.sent) / seconds : nil
  }

  /// Returns the remaining time at the current rate; `nil` until it can be estimated.
  public func timeLeft(of bytes: Int) -> Interval? {
    guard let speed, let last = marks.last else { return nil }
    return .seconds(Double(max(0, bytes - last.sent)) / speed)
  }
}
