/// Error for an invalid message text. Two errors are equal if their codes are equal. It contains no part of the input.
public struct MessageTextError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stable error code.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String {
      case empty
      case tooLong = "too-long"
      case tooManyBytes = "too-many-bytes"
      case controlCharacter = "control-character"
    }
    fileprivate let kind: Kind

    /// Wire format of the code.
    public var text: String { kind.rawValue }

    /// The text is empty or has no visible characters.
    public static let empty = Code(kind: .empty)
    /// The text has more than 100 user-perceived characters.
    public static let tooLong = Code(kind: .tooLong)
    /// The text has more than ``MessageText/maximumBytes`` bytes, regardless of its character count.
    public static let tooManyBytes = Code(kind: .tooManyBytes)
    /// The text contains a control character other than a line feed.
    public static let controlCharacter = Code(kind: .controlCharacter)
  }

  public let code: Code

  init(_ code: Code) { self.code = code }

  public var description: String { code.text }
}
