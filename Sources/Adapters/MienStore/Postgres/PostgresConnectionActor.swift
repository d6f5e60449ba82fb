internal import MienWorkers

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
