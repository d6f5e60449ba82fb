public import MienCore

/// The reason why a frame could not be analyzed. Errors with the same code are equal.
public struct FaceTrackingError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String {
      case notAImage = "notAPicture", imageTooLarge = "pictureTooLarge", modelUnavailable, busy
    }
    fileprivate let kind: Kind
    /// The data is not an image of a supported format, or it is truncated or corrupt.
    public static let notAImage = Code(kind: .notAImage)
    /// The header declares more pixels than the limit; nothing was decoded.
    public static let imageTooLarge = Code(kind: .imageTooLarge)
    /// A model file or the runtime is missing; ``FaceTrackingError/obstacle`` names it.
    public static let modelUnavailable = Code(kind: .modelUnavailable)
    /// Too many frames are waiting already; retry shortly.
    public static let busy = Code(kind: .busy)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Description of the error and of the remedy; contains nothing from the image.
  public let reason: String
  /// Set for ``Code/modelUnavailable``.
  public let obstacle: UnavailableReason?

  public init(_ code: Code, reason: String, obstacle: UnavailableReason? = nil) {
    self.code = code
    self.reason = reason
    self.obstacle = obstacle
  }

  public static func == (left: FaceTrackingError, right: FaceTrackingError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}

extension ServiceError {
  /// Maps the reason why a frame could not be analyzed to the error that the client receives.
  package init(_ error: FaceTrackingError) {
    let code: Code =
      switch error.code {
      case .notAImage: .notAImage
      case .imageTooLarge: .imageTooLarge
      case .modelUnavailable: .modelUnavailable
      default: .busy
      }
    self.init(code, error.reason)
  }
}
