internal import MienCore

/// A position in a list from which it continues: the time and the ID of the last item before it.
public struct PageCursor: Hashable, Sendable {
  public let milliseconds: Int64
  public let id: String

  public init(milliseconds: Int64, id: String) {
    self.milliseconds = milliseconds
    self.id = id
  }

  /// Returns `nil` if the text was not produced by ``text``.
  public init?(text: String) {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), IdentifierRules.isPlain(String(parts[1])) else {
      return nil
    }
    self.init(milliseconds: milliseconds, id: String(parts[1]))
  }

  public var text: String { "\(milliseconds).\(id)" }
}

/// The part of a list, newest first, that a request asks for.
public struct PageRequest: Hashable, Sendable {
  /// Start of the range of creation times, inclusive; `nil` for no limit.
  public var from: UnixTime?
  /// End of the range of creation times, exclusive; `nil` for no limit.
  public var until: UnixTime?
  /// Cursor after which the list continues.
  public var after: PageCursor?
  /// Maximum number of items.
  public var limit = 50

  public init() {}
}

/// A page of a list, newest first. Items that are added later do not move the pages that follow it.
public struct RecordPage<Item: Sendable>: Sendable {
  public let items: [Item]
  /// Cursor of the next page; `nil` at the end.
  public let next: PageCursor?

  /// Creates a page of at most `limit` of the items; further items mean that there is a next page.
  public init(_ found: [Item], limit: Int, cursor: (Item) -> PageCursor) {
    items = Array(found.prefix(limit))
    next = found.count > limit ? items.last.map(cursor) : nil
  }

  private init(items: [Item], next: PageCursor?) {
    self.items = items
    self.next = next
  }

  /// Returns the page with each item transformed.
  public func map<Other: Sendable>(_ transform: (Item) -> Other) -> RecordPage<Other> {
    RecordPage<Other>(items: items.map(transform), next: next)
  }
}
