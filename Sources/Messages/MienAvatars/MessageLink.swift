/// Message ID and, for a message that only the holder of its link can open, the secret part of that link.
///
/// As text `XXXX-XXXX-XXXX-XXXX/KEY`, which is the fragment of the link `https://mien.example/decode#XXXX-…/KEY`. The GIF contains only
/// the ID.
public struct MessageLink: Hashable, Sendable {
  /// Number of characters of a key: 132 random bits.
  public static let keyLength = 22

  public let id: MessageID
  /// Characters of `A–Z a–z 0–9 - _`; `nil` if the message can be opened by its ID.
  public let key: String?

  public init(id: MessageID, key: String? = nil) {
    self.id = id
    self.key = key
  }

  /// Parses a message ID, an ID with a key, or a link with one of them as its fragment.
  ///
  /// - Returns: `nil` without a valid ID, or with anything but a key behind a slash.
  public init?(text: some StringProtocol) {
    guard text.utf8.count <= 2048 else { return nil }
    let fragment = text.split(separator: "#", omittingEmptySubsequences: false).last ?? ""
    let parts = fragment.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let id = parts.first.flatMap({ MessageID(text: $0) }) else { return nil }
    guard parts.count == 2 else {
      self.init(id: id)
      return
    }
    let key = String(String(parts[1]).filter { !$0.isWhitespace })
    guard key.utf8.count == Self.keyLength, key.utf8.allSatisfy(Self.isKeyCharacter) else { return nil }
    self.init(id: id, key: key)
  }

  /// Fragment of the link.
  public var text: String { key.map { "\(id.text)/\($0)" } ?? id.text }

  private static func isKeyCharacter(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension MessageLink: CustomStringConvertible, CustomReflectable {
  public var description: String { "MessageLink(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
