/// What strangers ask about messages, each counted by itself. Who shows an API key is not counted.
public enum MessageRateClass: Hashable, Sendable, CaseIterable {
  /// Locking a message, or recording a sequence for one.
  case lock
  /// Looking at a message, fetching its GIF, beginning to open it, deleting it.
  case look
  /// Reading a number out of a picture, or drawing a GIF with somebody's own sheet.
  case image
}
