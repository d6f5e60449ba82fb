internal import Dispatch

/// One connection with a thread of its own to wait on, so that a slow database holds up nobody else's tasks.
actor PostgresConnectionActor {
  private nonisolated let executor = DispatchQueueExecutor()
  private let address: PostgresURL
  private let schema: String
  private var connection: PostgresConnection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  init(_ address: PostgresURL, schema: String) {
    self.address = address
    self.schema = schema
  }

  /// Does `work` on the connection, which is made anew where it broke meanwhile.
  func run<Value: Sendable>(
    _ work: @Sendable (inout PostgresConnection) throws -> Value
  ) throws -> Value {
    var held = try open()
    do {
      let value = try work(&held)
      // What was sent and not yet waited for is done before anybody hears so.
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
    if var held = connection.take() {
      if held.isAlive() { return held }
    }
    return try PostgresConnection.to(address, schema: schema)
  }

  private func keep(_ held: consuming PostgresConnection) {
    if held.isOver { return }
    connection = consume held
  }
}

/// Runs an actor on a dispatch queue: its calls may wait.
private final class DispatchQueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "mien.postgres")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
