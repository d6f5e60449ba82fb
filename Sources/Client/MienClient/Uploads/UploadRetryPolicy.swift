public import MienCore

/// Retry delays and chunk size of uploads.
public struct UploadRetryPolicy: Hashable, Sendable {
  /// Maximum number of consecutive retries. Any accepted chunk resets the count. `nil` for no limit.
  public var retries: Int?
  /// Delay before the first retry; doubles with each further one. Random jitter shortens it by up to half, so that
  /// devices
  /// do not retry simultaneously.
  public var firstWait: Interval
  /// Upper limit of the delay, unless the server requests a longer one.
  public var longestWait: Interval
  /// Timeout of one request.
  public var request: Interval
  /// Bytes sent in one request, at least 1: the maximum that a lost connection costs.
  public var chunk: Int

  public init(
    retries: Int? = nil, firstWait: Interval = .seconds(1), longestWait: Interval = .seconds(60),
    request: Interval = .seconds(60), chunk: Int = 1 << 20
  ) {
    self.retries = retries.map { max(0, $0) }
    self.firstWait = firstWait
    self.longestWait = longestWait
    self.request = request
    self.chunk = max(1, chunk)
  }

  /// Returns the delay before the next attempt, or `nil` if the retries are used up.
  ///
  /// - Parameters:
  ///   - failures: number of consecutive failures including the current one, from 1.
  ///   - asked: minimum delay requested by the server.
  ///   - chance: random number in 0…1, drawn by the caller.
  func wait(after failures: Int, asked: Interval?, chance: Double) -> Interval? {
    if let retries, failures > retries { return nil }
    let factor = Double(1 << min(max(failures - 1, 0), 16))
    let whole = min(longestWait.inSeconds, firstWait.inSeconds * factor)
    let chosen = Interval.seconds(whole * (1 - chance / 2))
    return asked.map { max($0, chosen) } ?? chosen
  }
}
