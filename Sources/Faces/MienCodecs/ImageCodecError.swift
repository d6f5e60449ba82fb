/// The reason why an image could not be read or written. Compared by code; contains no image data except the claimed
/// size.
public struct ImageCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case notAImage = "notAPicture", tooLarge, corrupt, unsupported, codecFailed }
    fileprivate let kind: Kind
    /// The bytes do not begin like an image of the format, or their header is invalid.
    public static let notAImage = Code(kind: .notAImage)
    /// The header claims more pixels than the limit; nothing was decoded.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The image is truncated or damaged.
    public static let corrupt = Code(kind: .corrupt)
    /// An image of an unsupported kind, for example CMYK.
    public static let unsupported = Code(kind: .unsupported)
    /// The codec library failed, for example for lack of memory.
    public static let codecFailed = Code(kind: .codecFailed)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Description for operators.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: ImageCodecError, right: ImageCodecError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
