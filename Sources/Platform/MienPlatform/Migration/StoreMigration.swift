/// Copies all data of one store to another, and compares every record of the two.
public struct StoreMigration {
  /// Number of records in a table.
  public struct Count: Hashable, Sendable {
    public let table: String
    public let records: Int
  }

  /// Maximum number of records written at once.
  private static let largestBatch = 100
  /// Approximate maximum number of bytes written at once.
  private static let largestBytes = 4 << 20

  private let tables: [StoreTable]
  private let source: any TableExport
  private let target: any TableExport
  private let kinds: (source: [String: [String: StoreValue.Kind]], target: [String: [String: StoreValue.Kind]])

  /// - Parameter tables: all tables of the stores, in any order.
  /// - Throws: ``StoreError`` with `unavailable` if the two stores do not have the same tables and columns.
  public init(_ tables: [StoreTable], from source: any TableExport, to target: any TableExport) throws {
    self.source = source
    self.target = target
    kinds = (try source.kinds(), try target.kinds())
    let names = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, Set($0.columns)) })
    for kinds in [kinds.source, kinds.target] {
      guard kinds.mapValues({ Set($0.keys) }) == names else {
        let strange = Set(names.keys).symmetricDifference(kinds.keys).sorted().joined(separator: ", ")
        throw StoreError(
          .unavailable,
          reason: "The two databases do not have the same tables or columns. Use one version of Mien for both."
            + (strange.isEmpty ? "" : " Only one has: \(strange)."))
      }
    }
    self.tables = try Self.ordered(tables)
  }

  /// Sorts tables so that parents precede the tables that refer to them.
  private static func ordered(_ tables: [StoreTable]) throws -> [StoreTable] {
    var (left, ordered) = (tables.sorted { $0.name < $1.name }, [StoreTable]())
    while !left.isEmpty {
      let names = Set(left.map(\.name))
      let next = left.filter { $0.parents.subtracting([$0.name]).isDisjoint(with: names) }
      guard !next.isEmpty else { throw StoreError(.unavailable, reason: "Tables refer to each other in a cycle.") }
      ordered += next
      left.removeAll { next.contains($0) }
    }
    return ordered
  }

  /// Copies every record and compares the two stores; only compares them if the target already has records.
  ///
  /// The caller ends the target's transaction: if this throws, nothing that was written may remain.
  /// - Throws: ``StoreError`` with `duplicate` if the target has records that are not those of the source; errors of
  ///   the stores.
  public func run() throws -> (counts: [Count], wasThere: Bool) {
    let isEmpty = try tables.allSatisfy { table in
      try target.open(table)
      return try target.next() == nil
    }
    if isEmpty { for table in tables { try copy(table) } }
    let counts = try tables.map { table in
      guard let records = try compare(table) else {
        guard isEmpty else {
          throw StoreError(
            .duplicate, reason: "The target already holds other records (\(table.name)). Use an empty database.")
        }
        throw StoreError(
          .unavailable, reason: "A record of \(table.name) was not restored unchanged. Nothing was stored.")
      }
      return Count(table: table.name, records: records)
    }
    return (counts, !isEmpty)
  }

  private func copy(_ table: StoreTable) throws {
    var (batch, bytes): ([[StoreValue]], Int) = ([], 0)
    try source.open(table)
    while let record = try source.next() {
      let held = try self.held(record, of: table, as: kinds.target)
      batch.append(held)
      bytes += held.reduce(0) { $0 + $1.size }
      guard batch.count >= Self.largestBatch || bytes >= Self.largestBytes else { continue }
      try target.insert(batch, into: table)
      (batch, bytes) = ([], 0)
    }
    if !batch.isEmpty { try target.insert(batch, into: table) }
  }

  /// Returns the number of records; `nil` if the two stores differ.
  private func compare(_ table: StoreTable) throws -> Int? {
    try source.open(table)
    try target.open(table)
    var count = 0
    while true {
      let (one, two) = (try source.next(), try target.next())
      guard let one, let two else { return one == nil && two == nil ? count : nil }
      guard zip(one, try held(two, of: table, as: kinds.source)).allSatisfy({ $0.isSame(as: $1) }) else { return nil }
      count += 1
    }
  }

  private func held(
    _ record: [StoreValue], of table: StoreTable, as kinds: [String: [String: StoreValue.Kind]]
  ) throws -> [StoreValue] {
    guard record.count == table.columns.count else {
      throw StoreError(.unavailable, reason: "A record of \(table.name) has another number of values than its table.")
    }
    return try zip(record, table.columns).map { value, column in
      guard let kind = kinds[table.name]?[column], let held = value.held(as: kind) else {
        throw StoreError(
          .unavailable, reason: "\(table.name).\(column) holds \(value), which the other database cannot store.")
      }
      return held
    }
  }
}

/// A table, described by the properties that it has in every store.
public struct StoreTable: Hashable, Sendable {
  public let name: String
  public let columns: [String]
  /// Columns of the primary key.
  public let key: [String]
  /// Tables whose records must be inserted before those of this one.
  public let parents: Set<String>

  public init(name: String, columns: [String], key: [String], parents: Set<String>) {
    self.name = name
    self.columns = columns
    self.key = key
    self.parents = parents
  }

  /// `true` if the order of arrival matters and no column records it; other tables are read in the order of their key.
  public var keepsArrival: Bool { ["capture", "scan"].contains(name) }
}

/// Access to all records of a store, in a transaction without concurrent writers. Used by one task, which blocks while
/// it waits for the database.
public protocol TableExport: AnyObject {
  /// Returns the kind of values in each column of each table.
  func kinds() throws -> [String: [String: StoreValue.Kind]]
  /// Starts reading a table: by arrival or by key, with texts ordered by their bytes. Ends reading the previous table.
  func open(_ table: StoreTable) throws
  /// Returns the next record of the open table, with a value for each of its columns in order; `nil` after the last.
  func next() throws -> [StoreValue]?
  /// Inserts records, whose values have the kinds of the columns.
  func insert(_ records: [[StoreValue]], into table: StoreTable) throws
}
