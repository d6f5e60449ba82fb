public import MienExpressions

extension SpriteSheet {
  /// Delays in hundredths of a second: `long` for expressions and the first and last image, `short` for neutral between two expressions.
  private static let long = 50
  private static let short = 30

  /// Delay of an in-between image.
  private static let passing = 6

  /// Returns the GIF of a sequence: neutral, then each expression followed by neutral, with the message ID in a comment and as a label on
  /// the last image, looping endlessly.
  ///
  /// A classic animation has 2 n + 1 images. A smooth one has four more for each expression, or two or none where it would otherwise be
  /// larger than ``GIFOptions/maximumSmoothBytes``.
  public func animation(of sequence: ExpressionSequence, code: MessageID, options: GIFOptions = .init()) -> [UInt8] {
    if options.style == .smooth, isSmooth {
      for passages in [[Sprite.Passage.third, .twoThirds], [.twoThirds]] {
        let gif = write(scenes(of: sequence, through: passages), code, options)
        if gif.count <= GIFOptions.maximumSmoothBytes { return gif }
      }
    }
    return write(scenes(of: sequence, through: []), code, options)
  }

  private func scenes(of sequence: ExpressionSequence, through passages: [Sprite.Passage]) -> [Scene] {
    var scenes = [Scene(.neutral, Self.long)]
    for (index, step) in sequence.steps.enumerated() {
      let passing = passages.map { Scene(.between(step, $0), Self.passing) }
      scenes += passing + [Scene(.expression(step), Self.long)] + passing.reversed()
      if index < sequence.steps.count - 1 { scenes.append(Scene(.neutral, Self.short)) }
    }
    return scenes
  }

  /// Returns the GIF of a secret message: the avatar waits, blinks, and looks around. It does not depend on the sequence, and is the same
  /// in both styles.
  public func idle(code: MessageID, options: GIFOptions = .init()) -> [UInt8] {
    write(
      [
        Scene(.neutral, 160), Scene(.blink, 14), Scene(.neutral, 90), Scene(.preview, 80), Scene(.neutral, 40),
        Scene(.blink, 14),
      ], code, options)
  }

  private struct Scene {
    let sprite: Sprite
    /// Delay in hundredths of a second.
    let delay: Int

    init(_ sprite: Sprite, _ delay: Int) {
      self.sprite = sprite
      self.delay = delay
    }
  }

  /// Writes the scenes, of which the first must be neutral, followed by the labeled image.
  private func write(_ scenes: [Scene], _ code: MessageID, _ options: GIFOptions) -> [UInt8] {
    var writer = GIFFrameEncoder(palette)
    let nothing = writer.nothing()
    var bytes = header
    // The label takes less than 8 KiB.
    bytes.reserveCapacity(
      header.count + neutral.count + scenes.reduce(8192) { $0 + 16 + (changes[$1.sprite.index]?.count ?? 16) })
    bytes += GIFFrameEncoder.comment(GIFCommentExtension.text(code))
    for (index, scene) in scenes.enumerated() {
      if index == 0 {
        bytes += writer.control(delay: scene.delay, .keep) + neutral
      } else if let change = changes[scene.sprite.index] {
        // The disposal method restores neutral afterward, so only the differences are drawn.
        bytes += writer.control(delay: scene.delay, .restorePrevious) + change
      } else {
        bytes += writer.control(delay: scene.delay, .keep) + nothing
      }
    }
    bytes += writer.control(delay: options.labelDelay, .keep) + writer.stamp(MessageIDLabel(code))
    bytes.append(0x3B)
    return bytes
  }
}

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
