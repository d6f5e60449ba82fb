/// What somebody wrote: 1 to 100 characters as a person counts them, kept exactly as they are.
///
/// Right-to-left text, its direction marks and markup stay untouched: a reader shows them as text. It prints nothing of
/// itself; ``text`` is asked for on purpose.
public struct MessageText: Hashable, Sendable {
  /// User-perceived characters (extended grapheme clusters, UAX #29).
  public static let lengths = 1...100
  /// UTF-8 bytes. A hundred of the longest emoji need 4,100; beyond that somebody stacks marks on letters.
  public static let maximumBytes = 5000

  public let text: String

  /// - Throws: ``MessageTextError``.
  public init(_ text: String) throws(MessageTextError) {
    // The cheap limit first, so that nobody makes us count the characters of a book.
    guard text.utf8.count <= Self.maximumBytes else { throw MessageTextError(.tooManyBytes) }
    guard text.count <= Self.lengths.upperBound else { throw MessageTextError(.tooLong) }
    guard text.unicodeScalars.contains(where: Self.isVisible) else { throw MessageTextError(.empty) }
    guard !text.unicodeScalars.contains(where: Self.isControl) else { throw MessageTextError(.controlCharacter) }
    self.text = text
  }

  /// Control characters (general category Cc) other than the line feed that people type.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && scalar != "\n"
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    // A control character is refused with its own word, not as nothing.
    !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint || isControl(scalar)
  }
}

extension MessageText: CustomStringConvertible, CustomReflectable {
  public var description: String { "MessageText(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
