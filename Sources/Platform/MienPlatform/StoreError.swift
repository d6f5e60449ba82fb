/// The reason why a store operation failed. Compared by code; never contains a stored value.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case duplicate, missing, unavailable, overtaken, full }
    fileprivate let kind: Kind
    /// The record already exists and may not be overwritten.
    public static let duplicate = Code(kind: .duplicate)
    /// A referenced record does not exist.
    public static let missing = Code(kind: .missing)
    /// The store cannot perform the operation now.
    public static let unavailable = Code(kind: .unavailable)
    /// Another server holds the record now.
    public static let overtaken = Code(kind: .overtaken)
    /// The owner's storage quota is exceeded.
    public static let full = Code(kind: .full)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// The attempted operation and the remedy.
  public let reason: String

  public init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: StoreError, right: StoreError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
