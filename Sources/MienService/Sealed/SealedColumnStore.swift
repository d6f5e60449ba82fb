/// A value of a sealed column as it lies in a store.
public struct ColumnValue: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The values of the column's ``SealedColumn/key``, whole numbers in decimal.
  public let record: [String]
  /// Of a column of JSON its text in UTF-8.
  public let bytes: [UInt8]

  public init(record: [String], bytes: [UInt8]) {
    self.record = record
    self.bytes = bytes
  }

  public var description: String { "ColumnValue(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What is to stand in a value's place.
public struct ColumnChange: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  public let old: ColumnValue
  /// Of a column of JSON its text in UTF-8.
  public let new: [UInt8]

  public init(_ old: ColumnValue, by new: [UInt8]) {
    self.old = old
    self.new = new
  }

  public var description: String { "ColumnChange(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives values of ``SealedColumn``s as they lie there, so that they can be sealed, or sealed anew.
public protocol SealedColumnStore: Sendable {
  /// Up to `limit` values that do not begin with `prefix`, all where it is nil, in the order of their records.
  ///
  /// - Parameter record: only of records after this one.
  func values(
    of column: SealedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, limit: Int
  ) async throws -> [ColumnValue]

  /// How many values do not begin with `prefix`.
  func count(of column: SealedColumn, notBeginningWith prefix: [UInt8]) async throws -> Int

  /// Puts new values in the places of those that are still the same, in one transaction; returns how many those were. The
  /// others are something else by now, or gone.
  func replace(_ changes: [ColumnChange], of column: SealedColumn) async throws -> Int

  /// How many messages that were locked until then can still be opened.
  func lockedMessages(createdBy time: UnixTime) async throws -> Int

  /// Does what the store can so that replaced values are nowhere in its files any more.
  func forgetReplaced() async throws
}
