internal import Foundation
public import MienClient
public import MienCore
internal import MienRecordings

/// Observation source for push-based trackers. Collects observations until they are sent, at most ``most`` of them.
///
/// One buffer serves one performance or one check. `offer` may be called from any thread.
public final class ObservationLineBuffer: ObservationSource, @unchecked Sendable {
  /// Maximum number of waiting observations: two seconds at 60 per second. Older ones are dropped.
  public static let most = 120

  private let lock = NSLock()
  private var waiting: [ClientObservation] = []
  private var last: MonotonicInstant?
  private var problem: (any Error)?
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  private let pace: Interval
  private let onClose: @Sendable () async -> Void

  /// - Parameters:
  ///   - pace: minimum interval between two observations; the others are left out.
  ///   - onClose: called once when the performance ends; stop tracking here.
  public init(pace: Interval = .zero, onClose: @escaping @Sendable () async -> Void = {}) {
    self.pace = pace
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    self.onClose = onClose
  }

  /// Adds an observation. One that is not later than the previous one, or follows it too soon, is ignored.
  public func offer(_ observation: ClientObservation) {
    lock.withLock {
      if let last, observation.at <= last || observation.at.since(last) < pace { return }
      last = observation.at
      waiting.append(observation)
      if waiting.count > Self.most { waiting.removeFirst(waiting.count - Self.most) }
    }
    signal.yield()
  }

  /// Ends the observations, with an error if tracking failed.
  public func finish(throwing error: (any Error)? = nil) {
    lock.withLock { problem = problem ?? error }
    signal.finish()
  }

  public func next() async throws -> [UInt8]? { try await next(since: .zero) }

  /// Returns the observations like ``next()``, with times since `origin`; those before it are left out.
  public func next(since origin: MonotonicInstant) async throws -> [UInt8]? {
    var arrivals = signals.makeAsyncIterator()
    while true {
      let (observations, problem) = lock.withLock {
        defer { waiting = [] }
        return (waiting, self.problem)
      }
      if let problem { throw problem }
      var lines = ObservationLinesWriter(header: nil)
      // Observations that a reader would reject are left out.
      for var observation in observations where observation.at >= origin {
        observation.at = .zero + observation.at.since(origin)
        try? lines.append(observation)
      }
      if !lines.bytes.isEmpty { return lines.bytes }
      guard await arrivals.next() != nil else { return nil }
    }
  }

  public func close() async {
    signal.finish()
    await onClose()
  }
}
