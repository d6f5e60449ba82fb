internal import MienCore

/// The course of one upload: what was heard goes in, what to do next comes out. It performs nothing itself.
struct UploadStateMachine: Hashable, Sendable {
  /// What to do next.
  enum Action: Hashable {
    /// Announce the scan.
    case create
    /// Ask how far the scan is; a scan that never got a number is announced.
    case look
    /// Ask how far a file is.
    case ask(file: Int)
    /// Send a file from an offset on.
    case send(file: Int, from: Int)
    /// Say that everything is there.
    case submit
    /// It is over: the server has all of it.
    case finish
  }

  /// What to do about a failure.
  enum Answer: Hashable {
    case wait(Interval)
    case end(UploadOutcome)
  }

  private enum Course: Hashable {
    /// The server does not know the scan. Goes to `known`.
    case unknown
    /// The server knows the scan, or may: how far it is has to be asked. Goes to `open`, `over`, or back to `unknown`.
    case known
    /// Files go out. Goes to `over`, or back to `known` or `unknown`.
    case open
    /// Final.
    case over
  }

  /// How often a server may lose a scan before it is given up.
  static let mostRestarts = 3

  private let sizes: [Int]
  private let patience: UploadRetryPolicy
  private var course: Course
  /// How many bytes of each file the server has; nil: to be asked.
  private(set) var offsets: [Int?]
  private var failures = 0
  private(set) var restarts: Int

  /// - Parameters:
  ///   - sizes: bytes of each file.
  ///   - isKnown: whether the server has announced a scan for the job before.
  init(sizes: [Int], isKnown: Bool, restarts: Int, patience: UploadRetryPolicy) {
    self.sizes = sizes
    self.patience = patience
    self.restarts = restarts
    course = isKnown ? .known : .unknown
    offsets = sizes.map { _ in nil }
  }

  var next: Action {
    switch course {
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

  /// Bytes that the server is known to have.
  var sent: Int { offsets.reduce(0) { $0 + ($1 ?? 0) } }

  /// The scan is open, and the server has so much of each file.
  ///
  /// - Parameter received: nil for a file of which it is not known.
  mutating func opened(received: [Int?]) {
    course = .open
    offsets = zip(sizes, received).map { size, bytes in bytes.flatMap { (0...size).contains($0) ? $0 : nil } }
  }

  /// The scan has been submitted, now or earlier.
  mutating func submitted() { course = .over }

  /// The server has so much of a file.
  ///
  /// - Returns: false for what cannot be: less than it had acknowledged, or more than there is.
  mutating func acknowledged(_ file: Int, upTo offset: Int) -> Bool {
    guard (0...sizes[file]).contains(offset), offset >= offsets[file] ?? 0 else {
      offsets[file] = nil
      return false
    }
    if let before = offsets[file], offset > before { failures = 0 }
    offsets[file] = offset
    return true
  }

  /// Something did not work.
  ///
  /// - Parameter chance: 0…1, for the length of the wait.
  mutating func failed(_ trouble: UploadFailureClassifier, chance: Double) -> Answer {
    switch trouble {
    case .refused(let problem): return .end(.refused(problem))
    case .gone:
      restarts += 1
      guard restarts <= Self.mostRestarts else {
        return .end(
          .refused(UploadJob.Problem(code: "not-found", detail: "The server loses the scan again and again.")))
      }
      course = .unknown
      offsets = sizes.map { _ in nil }
    case .incomplete, .unsure: course = .known
    case .passing: if case .send(let file, _) = next { offsets[file] = nil }
    }
    failures += 1
    guard let wait = patience.wait(after: failures, asked: trouble.retryAfter, chance: chance) else {
      return .end(.later(code: trouble.code))
    }
    return .wait(wait)
  }
}
