internal import MienAvatars

/// What a picture says about a message's number.
public struct MessageIDMatch: Hashable, Sendable {
  public enum Place: String, Hashable, Sendable, CaseIterable {
    /// In the comment of a GIF.
    case comment
    /// In the pixels.
    case pixels
    /// There is one, and its check characters do not fit.
    case damaged
    /// There is none.
    case nothing
  }

  public let found: Place
  /// As it is read aloud; nil unless it was read whole.
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
