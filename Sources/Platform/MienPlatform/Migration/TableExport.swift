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
