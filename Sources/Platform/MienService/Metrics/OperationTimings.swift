internal import Synchronization

/// How long pieces of work took that wait for a disk, a database or for each other. The kinds of work are a closed set. What is measured
/// here is also written down as a part of the job that it was done for.
public final class OperationTimings: Sendable {
  public enum BlobStoreKind: String, Hashable, Sendable, CaseIterable { case disk, s3 }
  public enum BlobOperation: String, Hashable, Sendable, CaseIterable { case put, get, delete }
  public enum DatabaseKind: String, Hashable, Sendable, CaseIterable { case sqlite, postgres }
  public enum DatabaseOperation: String, Hashable, Sendable, CaseIterable { case read, write }
  public enum Pool: String, Hashable, Sendable, CaseIterable { case models, database }

  public enum Work: Hashable, Sendable {
    case blob(BlobStoreKind, BlobOperation)
    /// Of a read or a transaction, without waiting for a connection.
    case database(DatabaseKind, DatabaseOperation)
    /// Waiting for a free one of a pool; nothing where one was free.
    case wait(Pool)
  }

  public struct Reading: Sendable {
    /// One count per bound and one for what is above; not cumulative.
    public fileprivate(set) var counts = [Int](repeating: 0, count: OperationTimings.bounds.count + 1)
    /// In seconds.
    public fileprivate(set) var sum = 0.0
  }

  /// Upper bounds of the buckets in seconds.
  public static let bounds: [Double] = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10,
  ]

  /// Where jobs and their parts are written down.
  public let traces: TracingContext
  private let readings = Mutex<[Work: Reading]>([:])

  public init(traces: TracingContext = .off) { self.traces = traces }

  /// Counts a piece of work.
  public func note(_ work: Work, took: Duration) {
    let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    readings.withLock { readings in
      readings[work, default: Reading()].counts[bucket] += 1
      readings[work, default: Reading()].sum += seconds
    }
  }

  /// Begins to write a piece of work down, for who counts it by ``note(_:took:)``; nil where that is not wanted.
  ///
  /// - Parameter bytes: how much it reads or writes, where that is known.
  public func begin(_ work: Work, as name: SpanName, bytes: Int? = nil) -> ActiveSpan? {
    traces.beginPart(name, .asking, work.facts(name, bytes))
  }

  /// Does a piece of work and counts it, however it ends.
  ///
  /// - Parameters:
  ///   - name: what it is written down as; nil only counts it.
  ///   - bytes: how much it reads or writes, where that is known.
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

  /// The same for work that waits for nobody.
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

  /// Everything counted so far.
  public func read() -> [Work: Reading] { readings.withLock { $0 } }
}

extension OperationTimings.Work {
  /// What a span says of it.
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
