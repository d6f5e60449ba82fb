/// The comment in a GIF that holds a message's code.
enum GIFCommentExtension {
  private static let words = "mien message "

  static func text(_ code: MessageID) -> String { words + code.text }

  /// The code in a comment; nil when it is another comment or its check does not fit.
  static func code(in comment: [UInt8]) -> MessageID? {
    guard comment.count < 128 else { return nil }
    let text = String(decoding: comment, as: UTF8.self)
    return text.hasPrefix(words) ? MessageID(text: text.dropFirst(words.count)) : nil
  }
}
