import MienPlatform
import Testing

@testable import MienStore

/// Pipelined statements on a real database.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct `Pipelined statements` {
  private struct Interrupted: Error {}

  /// Creates an empty table and returns a pool for it.
  private func pool(_ more: String = "") async throws -> PostgresPool {
    let pool = try await PostgresStore(PostgresServer.shared.get().address("&connection_limit=1" + more)).pool
    try await pool.run(.statement, as: "test") { db in
      try db.script("CREATE TABLE IF NOT EXISTS mien.train (number bigint PRIMARY KEY); TRUNCATE mien.train")
    }
    return pool
  }

  private func numbers(_ pool: PostgresPool) async throws -> [Int] {
    try await pool.run(.read, as: "test") { db in
      try db.rows("SELECT number FROM mien.train ORDER BY number").map { try $0["number"] }
    }
  }

  private static let insert = "INSERT INTO mien.train (number) VALUES ($1)"

  @Test(arguments: ["", "&pgbouncer=true"])
  func `statements run in order before the next awaited response`(_ more: String) async throws {
    let pool = try await pool(more)
    let changed = try await pool.run(.statement, as: "test") { db in
      for number in 1...700 { try db.execute(Self.insert, [number]) }
      return try db.change("DELETE FROM mien.train WHERE number > $1", [600])
    }
    #expect(changed == 100)
    #expect(try await numbers(pool) == Array(1...600))
  }

  @Test func `statements run at the end of the work without an awaited response`() async throws {
    let pool = try await pool()
    try await pool.run(.statement, as: "test") { db in try db.execute(Self.insert, [1]) }
    try await pool.run(.transaction, as: "test") { db in try db.execute(Self.insert, [2]) }
    #expect(try await numbers(pool) == [1, 2])
  }

  @Test func `a rejected statement rolls back the transaction and the first error is reported`() async throws {
    let pool = try await pool()
    await #expect(throws: PostgresError(.refused("23505"))) {
      try await pool.run(.transaction, as: "test") { db in
        for number in [1, 2, 2] { try db.execute(Self.insert, [number]) }
        // Never executed by the server, so that its error is not the one reported.
        try db.execute("SELECT 1 / 0", [])
      }
    }
    #expect(try await numbers(pool) == [])
    // The connection and its prepared statements are still usable.
    try await pool.run(.transaction, as: "test") { db in try db.execute(Self.insert, [3]) }
    #expect(try await numbers(pool) == [3])
  }

  @Test func `an error thrown by the caller rolls statements back`() async throws {
    let pool = try await pool()
    await #expect(throws: Interrupted.self) {
      try await pool.run(.transaction, as: "test") { db in
        try db.execute(Self.insert, [1])
        throw Interrupted()
      }
    }
    #expect(try await numbers(pool) == [])
  }

  @Test func `a transaction with a swallowed error is not reported as committed`() async throws {
    let pool = try await pool()
    await #expect(throws: PostgresError(.refused("25P02"))) {
      try await pool.run(.transaction, as: "test") { db in
        try db.execute(Self.insert, [1])
        _ = try? db.rows("SELECT 1 / 0")
      }
    }
    #expect(try await numbers(pool) == [])
  }

  @Test func `a statement that could not be prepared is prepared again`() async throws {
    let pool = try await pool()
    let late = "INSERT INTO mien.late (number) VALUES ($1)"
    try await pool.run(.statement, as: "test") { db in try db.script("DROP TABLE IF EXISTS mien.late") }
    await #expect(throws: PostgresError(.refused("42P01"))) {
      try await pool.run(.statement, as: "test") { db in try db.change(late, [1]) }
    }
    // Not executed after the error, and must not count as prepared.
    let other = "DELETE FROM mien.late WHERE number = $1"
    await #expect(throws: PostgresError(.refused("22012"))) {
      try await pool.run(.statement, as: "test") { db in
        try db.execute("SELECT 1 / 0", [])
        try db.execute(other, [1])
      }
    }
    try await pool.run(.statement, as: "test") { db in try db.script("CREATE TABLE mien.late (number bigint)") }
    #expect(try await pool.run(.statement, as: "test") { db in try db.change(late, [1]) } == 1)
    #expect(try await pool.run(.statement, as: "test") { db in try db.change(other, [1]) } == 1)
    try await pool.run(.statement, as: "test") { db in try db.script("DROP TABLE mien.late") }
  }

  @Test func `more statements than the prepared statement limit can be used`() async throws {
    let pool = try await pool()
    let sum = try await pool.run(.transaction, as: "test") { db in
      var sum = 0
      for number in 1...600 {
        try db.execute(Self.insert, [number])
        sum += try db.rows("SELECT \(number)::bigint AS one")[0]["one"] as Int
      }
      return sum
    }
    #expect(sum == 600 * 601 / 2)
    #expect(try await numbers(pool).count == 600)
  }
}
