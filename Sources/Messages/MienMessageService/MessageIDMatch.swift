internal import MienAvatars

/// The result of looking for a message ID in an image.
public struct MessageIDMatch: Hashable, Sendable {
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// Found in the comment of a GIF.
    case comment
    /// Found in the pixels.
    case pixels
    /// Found, but the check characters do not match.
    case damaged
    /// Not found.
    case nothing
  }

  public let found: Place
  /// Message ID as displayed; `nil` unless it was read completely.
  public let text: String?

  init(_ reading: MessageIDDetector.Reading) {
    text = reading.code?.text
    found =
      switch reading {
      case .comment: .comment
      case .pixels: .pixels
      case .damaged: .damaged
      case .nothing: .nothing
      }
  }
}
