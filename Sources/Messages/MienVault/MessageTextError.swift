/// Why something is no text of a message. Equal by code; it repeats nothing of what was given.
public struct MessageTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable reason.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String {
      case empty
      case tooLong = "too-long"
      case tooManyBytes = "too-many-bytes"
      case controlCharacter = "control-character"
    }
    fileprivate let kind: Kind

    /// The code as it crosses the network.
    public var text: String { kind.rawValue }

    /// Nothing, or nothing that can be seen.
    public static let empty = Code(kind: .empty)
    /// More than 100 characters as a person counts them.
    public static let tooLong = Code(kind: .tooLong)
    /// More than ``MessageText/maximumBytes`` bytes, however few characters they are.
    public static let tooManyBytes = Code(kind: .tooManyBytes)
    /// A control character other than a line feed.
    public static let controlCharacter = Code(kind: .controlCharacter)
  }

  public let code: Code

  init(_ code: Code) { self.code = code }

  public var description: String { code.text }
}
