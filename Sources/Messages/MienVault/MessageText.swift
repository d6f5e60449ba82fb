/// Message text of 1 to 100 user-perceived characters, stored unchanged.
///
/// Right-to-left text, direction marks, and markup remain unchanged: clients display them as text. The description withholds the text;
/// ``text`` returns it explicitly.
public struct MessageText: Hashable, Sendable {
  /// Valid lengths in user-perceived characters (extended grapheme clusters, UAX #29).
  public static let lengths = 1...100
  /// Maximum number of UTF-8 bytes. A hundred of the longest emoji need 4,100; more indicates stacked combining marks.
  public static let maximumBytes = 5000

  public let text: String

  /// Validates a text.
  ///
  /// - Throws: ``MessageTextError``.
  public init(_ text: String) throws(MessageTextError) {
    // The cheap limit comes first, to avoid counting the characters of a very large text.
    guard text.utf8.count <= Self.maximumBytes else { throw MessageTextError(.tooManyBytes) }
    guard text.count <= Self.lengths.upperBound else { throw MessageTextError(.tooLong) }
    guard text.unicodeScalars.contains(where: Self.isVisible) else { throw MessageTextError(.empty) }
    guard !text.unicodeScalars.contains(where: Self.isControl) else { throw MessageTextError(.controlCharacter) }
    self.text = text
  }

  /// Reports whether a scalar is a control character (general category Cc) other than the line feed.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n"
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // A control character is rejected with its own error code and not as empty text.
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint || isControl(scalar)
  }
}

extension MessageText: CustomStringConvertible, CustomReflectable {
  public var description: String { "MessageText(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

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
