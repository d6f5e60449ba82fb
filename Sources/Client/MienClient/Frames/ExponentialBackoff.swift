public import MienCore

/// Timeouts and retry limits of a check.
public struct RetryPolicy: Hashable, Sendable {
  /// Maximum number of consecutive retries after a lost connection. A response resets the count.
  public var retries: Int
  /// Delay before the first retry; doubles with each further retry.
  public var firstWait: Interval
  /// Upper limit of the delay.
  public var longestWait: Interval
  /// Maximum time to wait for a frame from the camera.
  public var camera: Interval
  /// Maximum age of a frame when it is sent; the server's own limit is 2 s.
  public var oldestFrame: Interval
  /// Maximum number of consecutive frames that the server may reject before the check is aborted.
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

/// Retry delays that double each time.
struct ExponentialBackoff {
  private let retryPolicy: RetryPolicy
  private var tries = 0

  init(_ retryPolicy: RetryPolicy) {
    self.retryPolicy = retryPolicy
  }

  /// Returns the delay before the next attempt, or `nil` if the retries are used up.
  mutating func next() -> Interval? {
    guard tries < retryPolicy.retries else { return nil }
    let factor = Double(1 << min(tries, 16))
    tries += 1
    return min(retryPolicy.longestWait, .seconds(retryPolicy.firstWait.inSeconds * factor))
  }

  mutating func reset() {
    tries = 0
  }
}
