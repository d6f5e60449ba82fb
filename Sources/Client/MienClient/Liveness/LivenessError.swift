/// Why a check was not passed, by the keys that integrators of the vendor's SDKs know.
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

    /// No such session, or it is over: ask the backend for another one.
    public static let invalidOrExpiredSession: Key = "invalid_or_expired_session"
    /// The token does not belong to the session, or there was none to be had.
    public static let sessionTokenError: Key = "session_token_error"
    /// The eyes were closed where they must be open.
    public static let eyesClosed: Key = "eyes_closed"
    /// The camera gave no frames, or frames without a face that could be judged.
    public static let imageCaptureFailed: Key = "image_capture_failed"
    /// The server did not answer, or could not do it now.
    public static let apiError: Key = "API_ERROR"
    /// Ours: the person did not do what was asked.
    public static let taskFailed: Key = "task_failed"
  }

  public let key: Key
  /// For a developer; the person is told by the screen, which words ``LivenessData/reason``.
  public let message: String

  public init(key: Key, message: String) {
    self.key = key
    self.message = message
  }
}
