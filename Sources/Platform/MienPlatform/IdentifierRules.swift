/// Validation rules for the text of identifiers.
package enum IdentifierRules {
  /// Returns `true` for 1 to 64 characters of `A–Z a–z 0–9 - _`.
  package static func isPlain(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Returns `true` for one of the prefixes followed by 32 characters of `A–Z a–z 0–9 - _`.
  package static func isPlain(_ text: String, prefixes: [String]) -> Bool {
    prefixes.contains { text.hasPrefix($0) && text.utf8.count == $0.utf8.count + 32 } && isPlain(text)
  }
}
