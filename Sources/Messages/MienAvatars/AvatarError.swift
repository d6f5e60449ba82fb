/// Error thrown when an animation cannot be written or read. Two errors are equal if their codes are equal. An error contains no image
/// data except the claimed size.
public struct AvatarError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String {
      case wrongSheetSize, notAGIF, tooLarge, truncated, corrupt, noImage = "noPicture"
    }
    fileprivate let kind: Kind
    /// A sprite sheet is not 768 × 512, or its resting sprites are not 768 × 256.
    public static let wrongSheetSize = Code(kind: .wrongSheetSize)
    /// The file has no GIF signature.
    public static let notAGIF = Code(kind: .notAGIF)
    /// The image exceeds the limits on pixels, frames, or bytes; no memory was allocated for it.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The file ends within its first image.
    public static let truncated = Code(kind: .truncated)
    /// The content violates the format.
    public static let corrupt = Code(kind: .corrupt)
    /// The GIF contains no image.
    public static let noImage = Code(kind: .noImage)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Description of the error for an operator.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: AvatarError, right: AvatarError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
