/// A value of a sealed column as it lies in a store.
public struct EncryptedValue: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The values of the column's ``EncryptedColumn/key``, whole numbers in decimal.
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
public struct EncryptedReplacement: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  public let old: EncryptedValue
  /// Of a column of JSON its text in UTF-8.
  public let new: [UInt8]

  public init(_ old: EncryptedValue, by new: [UInt8]) {
    self.old = old
    self.new = new
  }

  public var description: String { "ColumnChange(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What was found among some records of a table, one after the other.
public struct EncryptedBatch: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// In the order of their records.
  public let values: [EncryptedValue]
  /// The last record that was looked at, whatever its value: go on after it. nil when there was none to look at.
  public let last: [String]?

  public init(values: [EncryptedValue], last: [String]?) {
    self.values = values
    self.last = last
  }

  public var description: String { "ColumnWindow(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Gives values of ``EncryptedColumn``s as they lie there, so that they can be sealed, or sealed anew.
public protocol EncryptedColumnStore: Sendable {
  /// The values that do not begin with `prefix`, all where it is nil, of the next records in the order of their keys.
  ///
  /// A step is as short where nothing is found as where much is: in a large table that is sealed already, looking for
  /// the next value anywhere takes longer than a statement may.
  ///
  /// - Parameters:
  ///   - record: only records after this one.
  ///   - window: how many records are looked at, at most.
  ///   - limit: after how many values it ends, since of pictures and films few are as much as memory should hold.
  func values(
    of column: EncryptedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, window: Int, limit: Int
  ) async throws -> EncryptedBatch

  /// Puts new values in the places of those that are still the same, in one transaction; returns how many those were. The
  /// others are something else by now, or gone.
  func replace(_ changes: [EncryptedReplacement], of column: EncryptedColumn) async throws -> Int

  /// How many messages that were locked until then can still be opened.
  func lockedMessages(createdBy time: UnixTime) async throws -> Int

  /// Does what the store can so that replaced values are nowhere in its files any more.
  func purgeReplaced() async throws
}
