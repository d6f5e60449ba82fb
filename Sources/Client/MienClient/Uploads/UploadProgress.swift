public import MienCore

/// Progress of an upload.
public struct UploadProgress: Hashable, Sendable {
  /// Current activity.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// Creating the scan, or requesting its state.
    case querying
    case sending
    /// Submitting the complete scan.
    case submitting
    /// Waiting for the next attempt after a failure.
    case waiting
    case done, refused, paused
  }

  /// Job ID.
  public var job: String
  public var phase: Phase
  /// Name of the file being sent.
  public var file: String?
  public var fileSent: Int
  public var fileBytes: Int
  /// Bytes of all files that the server has acknowledged.
  public var sent: Int
  public var bytes: Int
  /// Reason for waiting: a code of ``ClientError``.
  public var reason: String?

  public init(
    job: String, phase: Phase, file: String? = nil, fileSent: Int = 0, fileBytes: Int = 0, sent: Int, bytes: Int,
    reason: String? = nil
  ) {
    self.job = job
    self.phase = phase
    self.file = file
    self.fileSent = fileSent
    self.fileBytes = fileBytes
    self.sent = sent
    self.bytes = bytes
    self.reason = reason
  }

  /// Progress in 0…1; 1 if there is nothing to send.
  public var fraction: Double { bytes > 0 ? Double(min(sent, bytes)) / Double(bytes) : 1 }
}

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
