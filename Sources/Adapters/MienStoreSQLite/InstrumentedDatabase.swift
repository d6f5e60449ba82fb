internal import GRDB
internal import MienCore
internal import MienService

/// A database whose reads and transactions are counted with the time they take, waiting for their turn included, and written down as
/// parts of the job they are done for, by the name of the function that asks.
struct InstrumentedDatabase: Sendable {
  private let writer: any DatabaseWriter
  private let points: ReadConnectionPool?
  private let times: OperationTimings

  /// - Parameter points: nil where a connection besides the writer's would be locked out.
  init(_ writer: any DatabaseWriter, points: ReadConnectionPool?, times: OperationTimings) {
    self.writer = writer
    self.points = points
    self.times = times
  }

  /// Reads what is found by its key with a single statement: by the thread that asks where that need not wait, else like any
  /// other reading.
  func readPoint<Value: Sendable>(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let span = times.begin(.database(.sqlite, .read), as: SpanName(operation: operation, in: file))
    let found: Result<Value?, any Error> = Result { try timed { try points?.read(work) } }
    span?.end(found)
    if let value = try found.get() { return value }
    return try await read(operation: operation, file: file, work)
  }

  private func timed<Value>(_ work: () throws -> Value?) throws -> Value? {
    var found: Result<Value?, any Error> = .success(nil)
    let took = ContinuousClock().measure { found = Result { try work() } }
    guard let value = try found.get() else { return nil }
    times.note(.database(.sqlite, .read), took: took)
    return value
  }

  func read<Value: Sendable>(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await times.measuring(.database(.sqlite, .read), as: SpanName(operation: operation, in: file)) {
      try await writer.read(work)
    }
  }

  func write<Value: Sendable>(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await times.measuring(.database(.sqlite, .write), as: SpanName(operation: operation, in: file)) {
      try await writer.write(work)
    }
  }

  /// Begins to write down what is done in a transaction that several share, which ``writeHere(_:)`` counts.
  func begin(_ name: SpanName) -> ActiveSpan? { times.begin(.database(.sqlite, .write), as: name) }

  /// The same on the thread that asks, which waits.
  func writeHere<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try times.measuring(.database(.sqlite, .write)) { try writer.write(work) }
  }

  func writeWithoutTransaction<Value: Sendable>(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await times.measuring(.database(.sqlite, .write), as: SpanName(operation: operation, in: file)) {
      try await writer.writeWithoutTransaction(work)
    }
  }
}
