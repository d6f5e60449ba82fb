internal import Synchronization

/// Durations of operations that wait for a disk, a database or each other. The kinds of operations are a closed set.
/// Measured operations are also traced as parts of the job that they were done for.
public final class OperationTimings: Sendable {
  public enum BlobStoreKind: String, Hashable, Sendable, CaseIterable { case disk, s3 }
  public enum BlobOperation: String, Hashable, Sendable, CaseIterable { case put, get, delete }
  public enum DatabaseKind: String, Hashable, Sendable, CaseIterable { case sqlite, postgres }
  public enum DatabaseOperation: String, Hashable, Sendable, CaseIterable { case read, write }
  public enum Pool: String, Hashable, Sendable, CaseIterable { case models, database }

  public enum Work: Hashable, Sendable {
    case blob(BlobStoreKind, BlobOperation)
    /// A read or a transaction, without waiting for a connection.
    case database(DatabaseKind, DatabaseOperation)
    /// Waiting for a free element of a pool; zero if one was free.
    case wait(Pool)
  }

  public struct Reading: Sendable {
    /// One count for each upper bound, and one for longer durations; not cumulative.
    public fileprivate(set) var counts = [Int](repeating: 0, count: OperationTimings.bounds.count + 1)
    /// Sum in seconds.
    public fileprivate(set) var sum = 0.0
  }

  /// Upper bounds of the buckets in seconds.
  public static let bounds: [Double] = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
  ]

  /// Records traces of jobs and their parts.
  public let traces: TracingContext
  private let readings = Mutex<[Work: Reading]>([:])

  public init(traces: TracingContext = .off) { self.traces = traces }

  /// Records the duration of an operation.
  public func note(_ work: Work, took: Duration) {
    let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    readings.withLock { readings in
      readings[work, default: Reading()].counts[bucket] += 1
      readings[work, default: Reading()].sum += seconds
    }
  }

  /// Begins a span for an operation whose duration the caller records with ``note(_:took:)``; returns `nil` if it is
  /// not traced.
  ///
  /// - Parameter bytes: number of bytes read or written, if known.
  public func begin(_ work: Work, as name: SpanName, bytes: Int? = nil) -> ActiveSpan? {
    traces.beginPart(name, .client, work.facts(name, bytes))
  }

  /// Runs an operation and records its duration, whether or not it fails.
  ///
  /// - Parameters:
  ///   - name: name of the span; `nil` records the duration only.
  ///   - bytes: number of bytes read or written, if known.
  public func measuring<Value>(
    _ work: Work, as name: SpanName? = nil, bytes: Int? = nil, _ body: () async throws -> Value
  ) async throws -> Value {
    let span = name.flatMap { begin(work, as: $0, bytes: bytes) }
    var outcome: Result<Value, any Error>?
    let took = await ContinuousClock().measure {
      do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    }
    note(work, took: took)
    guard let outcome else { preconditionFailure("a measured piece of work has an outcome") }
    span?.end(outcome)
    return try outcome.get()
  }

  /// Runs a synchronous operation and records its duration, whether or not it fails.
  public func measuring<Value>(
    _ work: Work, as name: SpanName? = nil, bytes: Int? = nil, _ body: () throws -> Value
  ) throws -> Value {
    let span = name.flatMap { begin(work, as: $0, bytes: bytes) }
    var outcome: Result<Value, any Error>?
    let took = ContinuousClock().measure { outcome = Result { try body() } }
    note(work, took: took)
    guard let outcome else { preconditionFailure("a measured piece of work has an outcome") }
    span?.end(outcome)
    return try outcome.get()
  }

  /// Returns all measurements so far.
  public func read() -> [Work: Reading] { readings.withLock { $0 } }
}

extension OperationTimings.Work {
  /// Returns the attributes of the operation's span.
  fileprivate func facts(_ name: SpanName, _ bytes: Int?) -> [SafeSpanAttribute] {
    let facts: [SafeSpanAttribute] =
      switch self {
      case .blob(let store, let operation): [.blobStore(store), .blobOperation(operation)]
      case .database(let kind, let access): [.databaseSystem(kind), .databaseOperation(name), .databaseAccess(access)]
      case .wait: []
      }
    return bytes.map { facts + [.bytes($0)] } ?? facts
  }
}
