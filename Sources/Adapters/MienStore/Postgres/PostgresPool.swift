internal import Dispatch
internal import MienPlatform
internal import MienWorkers

/// Connection pool for one schema of a database. Work waits for a free connection, with a timeout and a limited queue. Each operation is
/// traced as a span of the current job, named after the calling function.
actor PostgresPool {
  private struct Waiter {
    let number: Int
    let found: CheckedContinuation<PostgresConnectionActor, any Error>
  }

  /// Maximum number of waiting operations; more would be served only after their callers have timed out.
  private static let longestQueue = 512

  private let address: PostgresURL
  /// Schema of the tables.
  nonisolated let schema: String
  private let times: OperationTimings
  /// Free connections in LIFO order, so that a connection that is not needed stays idle.
  private var free: [PostgresConnectionActor] = []
  private var made = 0
  private var waiting: [Waiter] = []
  private var nextNumber = 0
  /// Last time at which the database reported a full disk.
  private var wasFull: DispatchTime?

  init(_ address: PostgresURL, schema: String, times: OperationTimings) {
    self.times = times
    self.address = address
    self.schema = schema
  }

  func run<Value: Sendable>(
    _ access: SQLAccess, as name: SpanName, _ work: @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value {
    switch access {
    case .read, .lookup:
      // Retried once if the connection is lost, since it changes nothing.
      do {
        return try await run(.read, name, work)
      } catch let fault as PostgresError where fault.kind == .lost {
        return try await run(.read, name, work)
      }
    case .statement:
      // If the connection is lost, it is unknown whether the statement was executed.
      return try await run(.write, name, work)
    case .transaction:
      var attempts = 1
      while true {
        do {
          return try await run(.write, name) { db in try db.transaction(work) }
        } catch let fault as PostgresError where fault.isClash && attempts < 5 {
          // The database aborted it to resolve a deadlock.
          attempts += 1
        }
      }
    }
  }

  private func run<Value: Sendable>(
    _ operation: OperationTimings.DatabaseOperation, _ name: SpanName,
    _ work: @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value {
    let pooled = try await times.measuring(.wait(.database)) { try await take() }
    defer { release(pooled) }
    do {
      return try await times.measuring(.database(.postgres, operation), as: name) { try await pooled.run(work) }
    } catch let fault as PostgresError where fault.lacksSpace {
      wasFull = .now()
      throw fault
    }
  }

  /// `true` if the database reported a full disk within the last ten seconds. Statements that need no space still succeed and do not
  /// indicate it.
  var lacksSpace: Bool { wasFull.map { .now() < $0 + .seconds(10) } ?? false }

  private func take() async throws -> PostgresConnectionActor {
    if let pooled = free.popLast() { return pooled }
    if made < address.connections {
      made += 1
      return PostgresConnectionActor(address, schema: schema)
    }
    guard waiting.count < Self.longestQueue else { throw PostgresError(.crowded) }
    let number = nextNumber
    nextNumber += 1
    // Traced only if the operation has to wait, which is rare.
    let span = times.traces.beginPart("database.wait")
    defer { span?.end() }
    return try await withCheckedThrowingContinuation { found in
      waiting.append(Waiter(number: number, found: found))
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(address.poolTimeout)) {
        Task { await self.timeOut(number) }
      }
    }
  }

  private func release(_ pooled: PostgresConnectionActor) {
    guard !waiting.isEmpty else { return free.append(pooled) }
    waiting.removeFirst().found.resume(returning: pooled)
  }

  private func timeOut(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).found.resume(throwing: PostgresError(.crowded))
  }
}

/// Connection with its own thread for blocking calls, so that a slow database does not block other tasks.
actor PostgresConnectionActor {
  private nonisolated let executor = SerialQueueExecutor(label: "mien.postgres")
  private let address: PostgresURL
  private let schema: String
  private var connection: PostgresConnection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ address: PostgresURL, schema: String) {
    self.address = address
    self.schema = schema
  }

  /// Runs `work` on the connection, and reconnects if it was lost.
  func run<Value: Sendable>(
    _ work: @Sendable (PostgresConnection) throws -> Value
  ) throws -> Value {
    let held = try open()
    do {
      let value = try work(held)
      // Wait for queued statements before reporting success.
      try held.settle()
      keep(held)
      return value
    } catch {
      if !held.isOver { _ = try? held.settle() }
      keep(held)
      throw error
    }
  }

  private func open() throws -> PostgresConnection {
    if let held = connection.take() {
      if held.isAlive() { return held }
    }
    return try PostgresConnection.to(address, schema: schema)
  }

  private func keep(_ held: PostgresConnection) {
    if !held.isOver { connection = held }
  }
}
