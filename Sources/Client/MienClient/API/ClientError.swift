public import MienCore
public import MienAPI

/// Why the server did not do what it was asked, or could not be asked. Equal by code.
public struct ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong: one of the server's problem codes, or one of this side's. A newer server may have more.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The stable text, as it comes over the wire.
    public let text: String
    public var description: String { text }

    public init(text: String) {
      self.text = text
    }
  }

  public let code: Code
  /// The HTTP status; nil when there was no reply.
  public let status: Int?
  /// What happened and what to do, in the server's words; for a developer, not for the person.
  public let detail: String
  /// How long to wait before the next try, where the server says so.
  public let retryAfter: Interval?
  /// The last step of a check that is over, for ``Code/checkOver``.
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

  /// No reply came.
  static var unreachable: ClientError { ClientError(.unreachable, detail: "The server did not answer.") }

  /// Something answered, but not in our API's words: another server, a proxy's page, or an answer cut off.
  static func unreadable(status: Int) -> ClientError {
    ClientError(.unreadable, status: status, detail: "The answer (status \(status)) is not one of this API.")
  }
}
