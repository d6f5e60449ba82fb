/// A table, by what is the same in every store.
public struct StoreTable: Hashable, Sendable {
  public let name: String
  public let columns: [String]
  /// The columns that name a record.
  public let key: [String]
  /// The tables whose records must be there before those of this one.
  public let parents: Set<String>

  public init(name: String, columns: [String], key: [String], parents: Set<String>) {
    self.name = name
    self.columns = columns
    self.key = key
    self.parents = parents
  }

  /// True where the order of coming counts where no column tells it; else records are read in the order of their key.
  public var keepsArrival: Bool { ["capture", "scan"].contains(name) }
}

/// All records of a store, in a transaction that nobody else writes beside. Used by one task, which waits for the database.
public protocol TableExport: AnyObject {
  /// What each column of each table holds.
  func kinds() throws -> [String: [String: StoreValue.Kind]]
  /// Begins to read a table: by arrival or by key, texts by their bytes. What was read before is not read on.
  func open(_ table: StoreTable) throws
  /// The next record of the table that is open, a value for each of its columns in their order; nil behind the last.
  func next() throws -> [StoreValue]?
  /// Adds records, whose values have the kinds of the columns.
  func insert(_ records: [[StoreValue]], into table: StoreTable) throws
}
