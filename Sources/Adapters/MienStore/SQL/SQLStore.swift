internal import Foundation
internal import MienChecks
internal import MienCore
internal import MienPlatform
internal import MienSecurity

/// Store in an SQL database.
///
/// Extensions implement the persistence protocols once for all databases. A database's own type replaces a method only where the
/// databases differ: in leases between servers and in the clock that measures them.
protocol SQLStore: Sendable {
  /// Encrypts images of faces and biometric measurements.
  var keyring: ColumnCipher { get }
  /// ID of this server, stored with the work that it acquires.
  var server: String { get }
  /// Query for the IDs of the active servers that share the database.
  static var activeServers: String { get }

  /// Runs `work` on a connection and converts database errors to service errors.
  ///
  /// - Parameters:
  ///   - what: Description for error messages, such as "Storing a check".
  ///   - name: Name of the span.
  ///   - work: May run more than once: after a lost connection, a deadlock, or the failure of another write of its group.
  func run<Value: Sendable>(
    _ access: SQLAccess, _ what: String, as name: SpanName,
    _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value

  /// Stores a verdict without its images, and closes its check if this server holds it.
  ///
  /// - Returns: The columns `person`, `device`, and `keeps_clip` of the check, and `webhooks`: the IDs of the webhooks for this
  ///   outcome, separated by spaces.
  func storeVerdict(
    _ result: CheckResult, of id: CheckID, under epoch: Int?, in db: any SQLConnection
  ) throws -> SQLRow

  /// Erases deleted and replaced data from the database's files, as far as the database does not do so by itself.
  func purgeReplaced() async throws
}

/// Kind of database access of an operation.
enum SQLAccess: Hashable, Sendable {
  /// Reads.
  case read
  /// Reads few rows by key with a single statement.
  case lookup
  /// Executes a single statement that writes.
  case statement
  /// Reads and writes atomically.
  case transaction
}

extension SQLStore {
  func read<Value: Sendable>(
    _ what: String, operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await run(.read, what, as: SpanName(operation: operation, in: file), work)
  }

  func lookup<Value: Sendable>(
    _ what: String, operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await run(.lookup, what, as: SpanName(operation: operation, in: file), work)
  }

  /// Runs a single statement that writes.
  func write<Value: Sendable>(
    _ what: String, operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await run(.statement, what, as: SpanName(operation: operation, in: file), work)
  }

  func transaction<Value: Sendable>(
    _ what: String, operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    try await run(.transaction, what, as: SpanName(operation: operation, in: file), work)
  }

  /// Executes a statement and returns the number of affected rows.
  func change(
    _ what: String, _ sql: String, _ values: [(any SQLBindable)?], operation: StaticString = #function,
    file: StaticString = #fileID
  ) async throws -> Int {
    try await write(what, operation: operation, file: file) { db in try db.change(sql, values) }
  }

  /// Returns the IDs in the column `id` of a query's result.
  func ids<ID: SQLReadable & Sendable>(
    _ what: String, _ sql: String, _ values: [(any SQLBindable)?] = [], operation: StaticString = #function,
    file: StaticString = #fileID
  ) async throws -> [ID] {
    try await read(what, operation: operation, file: file) { db in try db.column("id", sql, values) }
  }

  /// Returns the number of deleted rows after their data is erased from the database's files.
  func purging(_ count: Int) async throws -> Int {
    if count > 0 { try await purgeReplaced() }
    return count
  }

  // MARK: - JSON

  /// Encodes a value as JSON text for a column.
  static func json(_ value: some Encodable) throws -> String {
    do {
      return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    } catch {
      // The only possible cause is a non-finite number, which must not be stored.
      throw StoreError(.unavailable, reason: "A value could not be written: \(type(of: error)).")
    }
  }

  /// Decodes a value that ``json(_:)`` encoded.
  static func value<Value: Decodable>(_ text: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw SQLReadError()
    }
  }
}

extension StoreError {
  /// Error of an operation that found a value that cannot be read.
  static func unreadable(_ what: String) -> StoreError {
    StoreError(
      .unavailable, reason: "\(what) failed: the database holds a value that cannot be read. Restore it from a backup.")
  }
}

/// Tables and columns for the schema and the coordination of servers, which are not copied to another database.
enum ServerTables {
  static let names: Set<String> = ["migration", "server", "blob_place"]
  static let columns: Set<String> = ["worker", "arrival"]
}
