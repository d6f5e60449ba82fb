internal import GRDB
internal import MienCore
internal import MienService

/// Database whose reads and transactions are measured, including the wait for a connection, and traced as spans of the current job, named
/// after the calling function.
struct InstrumentedDatabase: Sendable {
  private let writer: any DatabaseWriter
  private let points: ReadConnectionPool?
  private let times: OperationTimings

  /// Creates an instrumented database.
  ///
  /// - Parameter points: Read connections; `nil` if connections other than the writer's would be locked out.
  init(_ writer: any DatabaseWriter, points: ReadConnectionPool?, times: OperationTimings) {
    self.writer = writer
    self.points = points
    self.times = times
  }

  /// Reads rows by key with a single statement: on the calling thread if that is possible without waiting, otherwise like any other read.
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

  /// Begins a span for work in a shared transaction, which ``writeHere(_:)`` measures.
  func begin(_ name: SpanName) -> ActiveSpan? { times.begin(.database(.sqlite, .write), as: name) }

  /// Runs a transaction on the calling thread, which is blocked meanwhile.
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
