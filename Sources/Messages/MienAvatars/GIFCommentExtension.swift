/// GIF comment that contains a message ID.
enum GIFCommentExtension {
  private static let words = "mien message "

  static func text(_ code: MessageID) -> String { words + code.text }

  /// Returns the message ID in a comment, or `nil` for any other comment or if the check characters do not match.
  static func code(in comment: [UInt8]) -> MessageID? {
    guard comment.count < 128 else { return nil }
    let text = String(decoding: comment, as: UTF8.self)
    return text.hasPrefix(words) ? MessageID(text: text.dropFirst(words.count)) : nil
  }
}
