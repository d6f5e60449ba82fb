internal import Dispatch
internal import MienService

/// The connections to one schema of a database; work waits for a free one, but not for ever and not in any number. It is written down as
/// a part of the job that it is done for, by the name of the function that asks.
actor PostgresPool {
  private struct Waiter {
    let number: Int
    let found: CheckedContinuation<PostgresConnectionActor, any Error>
  }

  /// More that wait would only be served when nobody waits for the answer any more.
  private static let longestQueue = 512

  private let address: PostgresURL
  private let schema: String
  private let times: OperationTimings
  /// Used last, taken first: a connection that is not needed stays idle.
  private var free: [PostgresConnectionActor] = []
  private var made = 0
  private var waiting: [Waiter] = []
  private var nextNumber = 0
  /// When the database last refused something because its disk is full.
  private var wasFull: DispatchTime?

  init(_ address: PostgresURL, schema: String, times: OperationTimings) {
    self.times = times
    self.address = address
    self.schema = schema
  }

  /// Looks something up; once more when the connection broke under it, since looking changes nothing.
  func read<Value: Sendable>(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @Sendable (inout PostgresConnection) throws -> Value
  ) async throws -> Value {
    let name = SpanName(operation: operation, in: file)
    do {
      return try await run(.read, name, work)
    } catch let fault as PostgresError where fault.kind == .lost {
      return try await run(.read, name, work)
    }
  }

  /// Does one statement that writes. When the connection breaks under it, nobody knows whether it was done.
  func write<Value: Sendable>(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @Sendable (inout PostgresConnection) throws -> Value
  ) async throws -> Value {
    try await run(.write, SpanName(operation: operation, in: file), work)
  }

  /// Does `work` in one transaction, again from its beginning when the database ended it to resolve a deadlock.
  func transaction<Value: Sendable>(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @Sendable (inout PostgresConnection) throws -> Value
  ) async throws -> Value {
    let name = SpanName(operation: operation, in: file)
    var attempts = 1
    while true {
      do {
        return try await run(.write, name) { db in try db.transaction(work) }
      } catch let fault as PostgresError where fault.isClash && attempts < 5 {
        attempts += 1
      }
    }
  }

  private func run<Value: Sendable>(
    _ operation: OperationTimings.DatabaseOperation, _ name: SpanName,
    _ work: @Sendable (inout PostgresConnection) throws -> Value
  ) async throws -> Value {
    let lane = try await times.measuring(.wait(.database)) { try await take() }
    defer { give(lane) }
    do {
      return try await times.measuring(.database(.postgres, operation), as: name) { try await lane.run(work) }
    } catch let fault as PostgresError where fault.lacksRoom {
      wasFull = .now()
      throw fault
    }
  }

  /// True when the database refused something within the last ten seconds because its disk is full. What needs no more room succeeds
  /// meanwhile and says nothing about it.
  var lacksRoom: Bool { wasFull.map { .now() < $0 + .seconds(10) } ?? false }

  private func take() async throws -> PostgresConnectionActor {
    if let lane = free.popLast() { return lane }
    if made < address.connections {
      made += 1
      return PostgresConnectionActor(address, schema: schema)
    }
    guard waiting.count < Self.longestQueue else { throw PostgresError(.crowded) }
    let number = nextNumber
    nextNumber += 1
    // Written down only where one has to wait, which is seldom.
    let span = times.traces.beginPart("database.wait")
    defer { span?.end() }
    return try await withCheckedThrowingContinuation { found in
      waiting.append(Waiter(number: number, found: found))
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(address.poolTimeout)) {
        Task { await self.giveUp(number) }
      }
    }
  }

  private func give(_ lane: PostgresConnectionActor) {
    guard !waiting.isEmpty else { return free.append(lane) }
    waiting.removeFirst().found.resume(returning: lane)
  }

  private func giveUp(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).found.resume(throwing: PostgresError(.crowded))
  }
}
