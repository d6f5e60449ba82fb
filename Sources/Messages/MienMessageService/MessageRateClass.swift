/// Kinds of requests for messages, each with its own rate limit. Requests with an API key are not counted.
public enum MessageRateClass: Hashable, Sendable, CaseIterable {
  /// Locking a message, or recording a sequence for one.
  case lock
  /// Viewing a message's state, fetching its GIF, beginning to open it, or deleting it.
  case look
  /// Reading a message ID in an image, or drawing a GIF with the sender's own sprite sheet.
  case image
}
