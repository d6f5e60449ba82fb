/// Choices for a message's GIF.
public struct GIFOptions: Hashable, Sendable {
  /// Way from one image to the next.
  public enum Style: String, Hashable, Sendable, CaseIterable {
    /// One image for each expression, and neutral between two.
    case classic
    /// In-between images before and after each expression.
    case smooth
  }

  /// Valid times for which the image with the message ID is shown, in seconds.
  public static let labelSeconds = 0.5...10.0
  /// Maximum size of a smooth animation in bytes.
  public static let maximumSmoothBytes = 60_000

  public let style: Style
  /// Delay of the image with the message ID, in hundredths of a second.
  let labelDelay: Int

  /// Creates the default: classic, with the message ID shown for half a second.
  public init() { (style, labelDelay) = (.classic, 50) }

  /// Returns `nil` if the time is outside ``labelSeconds``.
  ///
  /// - Parameters:
  ///   - style: how the GIF moves and looks.
  ///   - labelSeconds: time for which the image with the message ID is shown.
  public init?(style: Style, labelSeconds: Double) {
    guard Self.labelSeconds.contains(labelSeconds) else { return nil }
    self.style = style
    labelDelay = Int((labelSeconds * 100).rounded())
  }
}
