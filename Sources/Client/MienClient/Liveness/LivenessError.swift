/// Reason why a check was not passed, with the keys of the vendor's SDKs.
public struct LivenessError: Error, Hashable, Sendable {
  public struct Key: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public init(stringLiteral value: String) {
      self.init(rawValue: value)
    }

    public var description: String { rawValue }

    /// Unknown or finished session: request another one from the backend.
    public static let invalidOrExpiredSession: Key = "invalid_or_expired_session"
    /// The token does not belong to the session, or none could be obtained.
    public static let sessionTokenError: Key = "session_token_error"
    /// The eyes were closed when they had to be open.
    public static let eyesClosed: Key = "eyes_closed"
    /// The camera delivered no frames, or none with a usable face.
    public static let imageCaptureFailed: Key = "image_capture_failed"
    /// The server did not respond, or could not process the request.
    public static let apiError: Key = "API_ERROR"
    /// Specific to Mien: the user did not perform the requested task.
    public static let taskFailed: Key = "task_failed"
  }

  public let key: Key
  /// Message for developers; the user interface shows text for ``LivenessData/reason`` instead.
  public let message: String

  public init(key: Key, message: String) {
    self.key = key
    self.message = message
  }
}
