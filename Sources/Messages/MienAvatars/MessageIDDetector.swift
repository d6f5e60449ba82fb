public import MienImaging

/// Finds the code of a message in a GIF, or in any picture that shows its stamp.
public struct MessageIDDetector: Sendable {
  /// What was found.
  public enum Reading: Hashable, Sendable {
    /// In the comment of the file.
    case comment(MessageID)
    /// In the pixels.
    case pixels(MessageID)
    /// There is a stamp, and what it says cannot be: its check characters do not fit.
    case damaged
    /// There is neither a comment with a code nor a stamp.
    case nothing

    /// The code, where there is one.
    public var code: MessageID? {
      switch self {
      case .comment(let code), .pixels(let code): code
      case .damaged, .nothing: nil
      }
    }
  }

  private let letters = GlyphRecognizer()

  public init() {}

  /// Reads a GIF: its comment; else the pixels of its last picture.
  ///
  /// - Parameter isOverdue: asked before each picture; true ends the reading with an error.
  /// - Throws: ``AvatarError`` when it is no GIF that can be read.
  public func read(
    gif bytes: [UInt8], limits: GIFLimits = GIFLimits(), isOverdue: () -> Bool = { false }
  ) throws(AvatarError) -> Reading {
    let reader = try GIFReader(bytes, limits: limits)
    for comment in reader.comments { if let code = GIFCommentExtension.code(in: comment) { return .comment(code) } }
    return read(try reader.lastImage(isOverdue: isOverdue))
  }

  /// Reads the pixels of a picture: the last one of an animation at any size, or a screenshot with anything around it.
  public func read(_ frame: Frame) -> Reading {
    guard frame.width >= 32, frame.height >= 32 else { return .nothing }
    let luma = LumaPlane(frame)
    var isDamaged = false
    if frame.width == frame.height {
      // The whole picture and nothing else: the stamp lies where it was put.
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
