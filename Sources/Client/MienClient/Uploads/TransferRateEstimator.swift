public import MienCore

/// Speed and time left, over the last seconds of an upload.
public struct TransferRateEstimator: Hashable, Sendable {
  private struct Mark: Hashable, Sendable {
    var at: MonotonicInstant
    var sent: Int
  }

  private var marks: [Mark] = []
  private let window: Interval

  /// - Parameter window: how long a time the speed is an average over.
  public init(window: Interval = .seconds(10)) {
    self.window = window
  }

  /// Takes down how much was sent at a time. Less than before starts it anew.
  public mutating func note(_ sent: Int, at now: MonotonicInstant) {
    if let last = marks.last, sent < last.sent || now < last.at { marks = [] }
    marks.append(Mark(at: now, sent: sent))
    // One mark before the window stays, so that it is covered whole.
    while marks.count > 2, now.since(marks[1].at) >= window { marks.removeFirst() }
  }

  /// Bytes a second; nil as long as nothing can be said.
  public var speed: Double? {
    guard let first = marks.first, let last = marks.last, last.sent > first.sent else { return nil }
    let seconds = last.at.since(first.at).inSeconds
    return seconds > 0 ? Double(last.sent - first.sent) / seconds : nil
  }

  /// How long the rest takes at this speed; nil as long as nothing can be said.
  public func timeLeft(of bytes: Int) -> Interval? {
    guard let speed, let last = marks.last else { return nil }
    return .seconds(Double(max(0, bytes - last.sent)) / speed)
  }
}
