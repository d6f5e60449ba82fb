public import MienCore
public import MienAPI

/// Error reported by the server, or failure to reach it. Errors with the same code are equal.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Problem code: one of the server's or one of the client's. A newer server may send codes not listed here.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// Stable text of the code, as sent by the server.
    public let text: String
    public var description: String { text }

    public init(text: String) {
      self.text = text
    }
  }

  public let code: Code
  /// HTTP status; `nil` if there was no response.
  public let status: Int?
  /// Cause and remedy in the server's words; meant for developers, not for display to the user.
  public let detail: String
  /// Time to wait before the next attempt, if the server specified one.
  public let retryAfter: Interval?
  /// Last step of a finished check, for ``Code/checkEnded``.
  public let step: StepResponse?

  public init(
    _ code: Code, status: Int? = nil, detail: String, retryAfter: Interval? = nil, step: StepResponse? = nil
  ) {
    self.code = code
    self.status = status
    self.detail = detail
    self.retryAfter = retryAfter
    self.step = step
  }

  public static func == (left: ClientError, right: ClientError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(detail)" }

  /// Error for a missing response.
  static var unreachable: ClientError { ClientError(.unreachable, detail: "The server did not answer.") }

  /// Error for a response that does not follow this API: from another server, a proxy's page, or a truncated response.
  static func unreadable(status: Int) -> ClientError {
    ClientError(.unreadable, status: status, detail: "The answer (status \(status)) is not one of this API.")
  }
}
