/// Why an animation could not be made or read. Equal by code; free of anything from the picture but its claimed size.
public struct AvatarError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String {
      case wrongSheetSize, notAGIF, tooLarge, truncated, corrupt, noImage = "noPicture"
    }
    fileprivate let kind: Kind
    /// A sheet is not 768 × 512, or its resting sprites are not 768 × 256.
    public static let wrongSheetSize = Code(kind: .wrongSheetSize)
    /// The bytes do not begin like a GIF.
    public static let notAGIF = Code(kind: .notAGIF)
    /// More pixels, frames or bytes than the limits; nothing was allocated for them.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The file ends in the middle of its first picture.
    public static let truncated = Code(kind: .truncated)
    /// What is there contradicts the format.
    public static let corrupt = Code(kind: .corrupt)
    /// A GIF without any picture.
    public static let noImage = Code(kind: .noImage)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// What happened, in words for an operator.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: AvatarError, right: AvatarError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
