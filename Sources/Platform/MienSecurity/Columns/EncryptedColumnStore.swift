public import MienPlatform

/// A value of an encrypted column as stored.
public struct EncryptedValue: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The values of the column's ``EncryptedColumn/key``, integers in decimal.
  public let record: [String]
  /// The stored bytes; UTF-8 text for a JSON column.
  public let bytes: [UInt8]

  public init(record: [String], bytes: [UInt8]) {
    self.record = record
    self.bytes = bytes
  }

  public var description: String { "EncryptedValue(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A stored value and its replacement.
public struct EncryptedReplacement: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  public let old: EncryptedValue
  /// The new bytes; UTF-8 text for a JSON column.
  public let new: [UInt8]

  public init(_ old: EncryptedValue, by new: [UInt8]) {
    self.old = old
    self.new = new
  }

  public var description: String { "EncryptedReplacement(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The matching values of a range of consecutive records.
public struct EncryptedBatch: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Values in the order of their records.
  public let values: [EncryptedValue]
  /// Key of the last record examined, even if it did not match: the position to continue from. `nil` if there were no
  /// more records.
  public let last: [String]?

  public init(values: [EncryptedValue], last: [String]?) {
    self.values = values
    self.last = last
  }

  public var description: String { "EncryptedBatch(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Provides raw access to the values of ``EncryptedColumn``s, so that they can be encrypted or re-encrypted.
public protocol EncryptedColumnStore: Sendable {
  /// Returns the values that do not start with `prefix` (all values if it is `nil`) among the next records in key
  /// order.
  ///
  /// The work per call is bounded regardless of the number of matches: in a large table that is already encrypted,
  /// searching for the next match anywhere would exceed the statement timeout.
  ///
  /// - Parameters:
  ///   - record: only records after this one are examined.
  ///   - window: maximum number of records examined.
  ///   - limit: maximum number of values returned, since images and clips use a lot of memory.
  func values(
    of column: EncryptedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, window: Int, limit: Int
  ) async throws -> EncryptedBatch

  /// Replaces values that are unchanged, in one transaction, and returns their number. The others have changed or were
  /// deleted.
  func replace(_ changes: [EncryptedReplacement], of column: EncryptedColumn) async throws -> Int

  /// Returns the number of messages created until `time` that can still be opened.
  func lockedMessages(createdBy time: UnixTime) async throws -> Int

  /// Removes replaced values from the store's files as far as the store can.
  func purgeReplaced() async throws
}
