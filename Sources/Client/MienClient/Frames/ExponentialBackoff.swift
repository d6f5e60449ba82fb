public import MienCore

/// How long a check waits for a server that does not answer, and how often it tries again.
public struct RetryPolicy: Hashable, Sendable {
  /// How many times in a row to try again after a lost connection; a reply starts the count anew.
  public var retries: Int
  /// The first wait before another try; each further one is twice as long.
  public var firstWait: Interval
  /// No wait is longer.
  public var longestWait: Interval
  /// How long a camera may give no frame.
  public var camera: Interval
  /// How old a frame may be when it goes out; the server's own limit is 2 s.
  public var oldestFrame: Interval
  /// How many frames in a row the server may refuse one by one before the check is given up.
  public var refusals: Int

  public init(
    retries: Int = 1, firstWait: Interval = .milliseconds(500), longestWait: Interval = .seconds(5),
    camera: Interval = .seconds(8), oldestFrame: Interval = .seconds(1), refusals: Int = 30
  ) {
    self.retries = max(0, retries)
    self.firstWait = firstWait
    self.longestWait = longestWait
    self.camera = camera
    self.oldestFrame = oldestFrame
    self.refusals = max(1, refusals)
  }
}

/// Waits that double.
struct ExponentialBackoff {
  private let patience: RetryPolicy
  private var tries = 0

  init(_ patience: RetryPolicy) {
    self.patience = patience
  }

  /// How long to wait before the next try, or nil when there were enough.
  mutating func next() -> Interval? {
    guard tries < patience.retries else { return nil }
    let factor = Double(1 << min(tries, 16))
    tries += 1
    return min(patience.longestWait, .seconds(patience.firstWait.inSeconds * factor))
  }

  mutating func reset() {
    tries = 0
  }
}
