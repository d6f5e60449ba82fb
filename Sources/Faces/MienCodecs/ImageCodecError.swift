/// Why a picture could not be read or written. Equal by code; free of anything from the picture but its claimed size.
public struct ImageCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case notAImage = "notAPicture", tooLarge, corrupt, unsupported, codecFailed }
    fileprivate let kind: Kind
    /// The bytes do not begin like a picture of the format, or their header makes no sense.
    public static let notAImage = Code(kind: .notAImage)
    /// The header claims more pixels than the limit; nothing was decoded.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The picture is truncated or damaged.
    public static let corrupt = Code(kind: .corrupt)
    /// A picture, but of a kind that is not read, for example CMYK.
    public static let unsupported = Code(kind: .unsupported)
    /// The codec library could not work, for example for want of memory.
    public static let codecFailed = Code(kind: .codecFailed)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// What happened, in words for an operator.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: ImageCodecError, right: ImageCodecError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
