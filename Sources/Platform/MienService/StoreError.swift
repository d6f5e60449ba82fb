/// What a store could not do. Equal by code; never carries a stored value.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case duplicate, missing, unavailable, overtaken, full }
    fileprivate let kind: Kind
    /// It is there already, and may not be written again.
    public static let duplicate = Code(kind: .duplicate)
    /// What it belongs to is not there.
    public static let missing = Code(kind: .missing)
    /// The database could not do it now.
    public static let unavailable = Code(kind: .unavailable)
    /// Another server has it now.
    public static let overtaken = Code(kind: .overtaken)
    /// It is more than its owner may store.
    public static let full = Code(kind: .full)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// What was tried, and what to do.
  public let reason: String

  public init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
