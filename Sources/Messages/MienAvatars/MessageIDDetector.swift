public import MienImaging

/// Detector of a message ID in a GIF, or in any image that shows its label.
public struct MessageIDDetector: Sendable {
  /// Result of the detection.
  public enum Reading: Hashable, Sendable {
    /// The message ID is in a comment of the file.
    case comment(MessageID)
    /// The message ID is in the pixels.
    case pixels(MessageID)
    /// A label was found, but its check characters do not match.
    case damaged
    /// Neither a comment with a message ID nor a label was found.
    case nothing

    /// Detected message ID, if any.
    public var code: MessageID? {
      switch self {
      case .comment(let code), .pixels(let code): code
      case .damaged, .nothing: nil
      }
    }
  }

  private let letters = GlyphRecognizer()

  public init() {}

  /// Reads the message ID from the comments of a GIF or, without one, from the pixels of its last image.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - limits: Largest file, and most images.
  ///   - isOverdue: Called before each image; returns `true` to abort with an error.
  /// - Throws: ``AvatarError`` if the file is not a readable GIF.
  public func read(
    gif bytes: [UInt8], limits: GIFLimits = GIFLimits(), isOverdue: () -> Bool = { false }
  ) throws(AvatarError) -> Reading {
    let reader = try GIFReader(bytes, limits: limits)
    for comment in reader.comments { if let code = GIFCommentExtension.code(in: comment) { return .comment(code) } }
    return read(try reader.lastImage(isOverdue: isOverdue))
  }

  /// Reads the message ID from the pixels of an image: the last one of an animation at any size, or a screenshot that contains it.
  public func read(_ frame: Frame) -> Reading {
    guard frame.width >= 32, frame.height >= 32 else { return .nothing }
    let luma = LumaPlane(frame)
    var isDamaged = false
    if frame.width == frame.height {
      // A square image may be the complete animation: the label is at its original position.
      let scale = Float(frame.width) / Float(Sprite.side)
      let place = LabelRect(
        x: Float(MessageIDLabel.x) * scale, y: Float(MessageIDLabel.y) * scale,
        width: Float(MessageIDLabel.width) * scale,
        height: Float(MessageIDLabel.height) * scale)
      switch letters.read(luma, place) {
      case .found(let code): return .pixels(code)
      case .damaged: isDamaged = true
      case .noLetters: break
      }
    }
    for place in LabelLocator.places(in: luma) {
      for variant in place.variants {
        switch letters.read(luma, variant) {
        case .found(let code): return .pixels(code)
        case .damaged: isDamaged = true
        case .noLetters: break
        }
      }
    }
    return isDamaged ? .damaged : .nothing
  }
}
