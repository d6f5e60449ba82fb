/// An error of the AWS-compatible API, in that API's terms. Errors of the same kind are equal.
public struct AWSError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// Name of the exception, which clients map to a class.
    public let name: String
    public let status: Int

    // Signature errors, common to all services.
    public static let missingAuthenticationToken = Kind(name: "MissingAuthenticationTokenException", status: 403)
    public static let incompleteSignature = Kind(name: "IncompleteSignatureException", status: 400)
    public static let invalidSignature = Kind(name: "InvalidSignatureException", status: 400)
    public static let unrecognizedClient = Kind(name: "UnrecognizedClientException", status: 403)
    public static let accessDenied = Kind(name: "AccessDeniedException", status: 400)
    // Protocol errors.
    public static let unknownOperation = Kind(name: "UnknownOperationException", status: 400)
    public static let serialization = Kind(name: "SerializationException", status: 400)
    public static let validation = Kind(name: "ValidationException", status: 400)
    public static let requestTooLarge = Kind(name: "RequestEntityTooLargeException", status: 413)
    // Service errors.
    public static let invalidParameter = Kind(name: "InvalidParameterException", status: 400)
    public static let imageTooLarge = Kind(name: "ImageTooLargeException", status: 400)
    public static let invalidImageFormat = Kind(name: "InvalidImageFormatException", status: 400)
    public static let invalidS3Object = Kind(name: "InvalidS3ObjectException", status: 400)
    public static let idempotentParameterMismatch = Kind(name: "IdempotentParameterMismatchException", status: 400)
    public static let sessionNotFound = Kind(name: "SessionNotFoundException", status: 400)
    public static let throttling = Kind(name: "ThrottlingException", status: 500)
    public static let internalServerError = Kind(name: "InternalServerError", status: 500)
    public var description: String { name }
  }

  public let kind: Kind
  /// Description of the error and of the remedy; contains nothing of the secret or of other sessions.
  public let message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  public static func == (left: AWSError, right: AWSError) -> Bool { left.kind == right.kind }
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
  public var description: String { "\(kind): \(message)" }
}
