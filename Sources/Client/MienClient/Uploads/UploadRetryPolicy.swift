public import MienCore

/// How long an upload waits for a server that does not answer, and how much it sends at once.
public struct UploadRetryPolicy: Hashable, Sendable {
  /// How many times in a row to try again after a failure; whatever the server takes starts the count anew. Nil: always.
  public var retries: Int?
  /// The first wait; each further one is twice as long. Chance makes it shorter by up to a half, so that not all devices
  /// come back at once.
  public var firstWait: Interval
  /// No wait is longer, unless the server asks for it.
  public var longestWait: Interval
  /// How long one request may take.
  public var request: Interval
  /// Bytes that go out in one request, at least 1: the most that a lost connection costs.
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

  /// The wait before another try, or nil when there were enough.
  ///
  /// - Parameters:
  ///   - failures: in a row, the present one included; from 1.
  ///   - asked: what the server asks for; no wait is shorter.
  ///   - chance: 0…1, drawn by the caller.
  func wait(after failures: Int, asked: Interval?, chance: Double) -> Interval? {
    if let retries, failures > retries { return nil }
    let factor = Double(1 << min(max(failures - 1, 0), 16))
    let whole = min(longestWait.inSeconds, firstWait.inSeconds * factor)
    let chosen = Interval.seconds(whole * (1 - chance / 2))
    return asked.map { max($0, chosen) } ?? chosen
  }
}
