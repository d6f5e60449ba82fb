public import MienCore

/// State machine of one upload: processes the server's responses and returns the next action. Performs no I/O itself.
struct UploadStateMachine: Hashable, Sendable {
  /// Next action.
  enum Action: Hashable {
    /// Create the scan.
    case create
    /// Request the scan's state; a scan without an ID is created.
    case look
    /// Request a file's offset.
    case ask(file: Int)
    /// Send a file from an offset.
    case send(file: Int, from: Int)
    /// Submit the scan.
    case submit
    /// Finished: the server has received everything.
    case finish
  }

  /// Reaction to a failure.
  enum Answer: Hashable {
    case wait(Interval)
    case end(UploadOutcome)
  }

  private enum Phase: Hashable {
    /// The server has no scan for the job. Next: `known`.
    case unknown
    /// The server has the scan, or may have it; its state must be requested. Next: `open`, `over`, or back to
    /// `unknown`.
    case known
    /// Files are being sent. Next: `over`, or back to `known` or `unknown`.
    case open
    /// Final.
    case over
  }

  /// Maximum number of times that the server may lose the scan before the upload fails.
  static let mostRestarts = 3

  private let sizes: [Int]
  private let retryPolicy: UploadRetryPolicy
  private var phase: Phase
  /// Number of bytes of each file that the server has received; `nil` if it must be requested.
  private(set) var offsets: [Int?]
  private var failures = 0
  private(set) var restarts: Int

  /// - Parameters:
  ///   - sizes: size of each file in bytes.
  ///   - isKnown: `true` if the server has already created a scan for the job.
  init(sizes: [Int], isKnown: Bool, restarts: Int, retryPolicy: UploadRetryPolicy) {
    self.sizes = sizes
    self.retryPolicy = retryPolicy
    self.restarts = restarts
    phase = isKnown ? .known : .unknown
    offsets = sizes.map { _ in nil }
  }

  var next: Action {
    switch phase {
    case .unknown: return .create
    case .known: return .look
    case .over: return .finish
    case .open:
      for (file, size) in sizes.enumerated() {
        guard let offset = offsets[file] else { return .ask(file: file) }
        if offset < size { return .send(file: file, from: offset) }
      }
      return .submit
    }
  }

  /// Number of bytes that the server is known to have received.
  var sent: Int { offsets.reduce(0) { $0 + ($1 ?? 0) } }

  /// Processes the state of an open scan.
  ///
  /// - Parameter received: number of bytes received of each file; `nil` if unknown.
  mutating func opened(received: [Int?]) {
    phase = .open
    offsets = zip(sizes, received).map { size, bytes in bytes.flatMap { (0...size).contains($0) ? $0 : nil } }
  }

  /// Records that the scan has been submitted, now or earlier.
  mutating func submitted() { phase = .over }

  /// Records the number of bytes of a file that the server has received.
  ///
  /// - Returns: `false` for an invalid offset: lower than the acknowledged one, or beyond the file's end.
  mutating func acknowledged(_ file: Int, upTo offset: Int) -> Bool {
    guard (0...sizes[file]).contains(offset), offset >= offsets[file] ?? 0 else {
      offsets[file] = nil
      return false
    }
    if let before = offsets[file], offset > before { failures = 0 }
    offsets[file] = offset
    return true
  }

  /// Processes a failure.
  ///
  /// - Parameter chance: random number in 0…1 for the jitter of the delay.
  mutating func failed(_ trouble: UploadFailureClassifier, chance: Double) -> Answer {
    switch trouble {
    case .refused(let problem): return .end(.refused(problem))
    case .gone:
      restarts += 1
      guard restarts <= Self.mostRestarts else {
        return .end(
          .refused(UploadJob.Problem(code: "not-found", detail: "The server loses the scan again and again.")))
      }
      phase = .unknown
      offsets = sizes.map { _ in nil }
    case .incomplete, .unsure: phase = .known
    case .passing: if case .send(let file, _) = next { offsets[file] = nil }
    }
    failures += 1
    guard let wait = retryPolicy.wait(after: failures, asked: trouble.retryAfter, chance: chance) else {
      return .end(.later(code: trouble.code))
    }
    return .wait(wait)
  }
}

/// Retry delays and chunk size of uploads.
public struct UploadRetryPolicy: Hashable, Sendable {
  /// Maximum number of consecutive retries. Any accepted chunk resets the count. `nil` for no limit.
  public var retries: Int?
  /// Delay before the first retry; doubles with each further one. Random jitter shortens it by up to half, so that
  /// devices do not retry simultaneously.
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
