public import MienAvatars
public import MienPlatform

extension Realm {
  /// Returns the realm of a message by its ID.
  public init(of number: MessageID) {
    self = number.digits.starts(with: Self.sandboxLead) ? .sandbox : .live
  }

  /// Returns the realm of a message by its ID as typed by a user; the live realm rejects invalid IDs.
  public init(ofMessage text: String) { self = MessageID(text: text).map { Realm(of: $0) } ?? .live }

  /// Returns a new message ID of this realm: sandbox IDs start with `ZZZZ`, live IDs never do.
  func newNumber(using generator: inout some RandomNumberGenerator) -> MessageID {
    guard self == .live else { return MessageID(leading: Self.sandboxLead, using: &generator) }
    while true {
      let number = MessageID(using: &generator)
      if Realm(of: number) == .live { return number }
    }
  }

  private static let sandboxLead: [UInt8] = [31, 31, 31, 31]
}
