/// Response to `POST /v2/api/identity/sdk/session/generate`.
public struct YouverifySessionResponse: Codable, Hashable, Sendable {
  public var success = true
  public var statusCode = 200
  public var message = "Session generated"
  public var data: Session

  public struct Session: Codable, Hashable, Sendable { public var sessionId: String }

  public init(sessionID: String) {
    data = Session(sessionId: sessionID)
  }
}

/// Response to `POST /v2/api/identity/sdk/liveness/token`.
public struct YouverifyTokenResponse: Codable, Hashable, Sendable {
  public var success = true
  public var statusCode = 200
  public var message = "Token generated"
  public var data: Token

  public struct Token: Codable, Hashable, Sendable { public var authToken: String }

  public init(authToken: String) {
    data = Token(authToken: authToken)
  }
}

/// Error response of that API, with the keys that its SDKs pass to `onFailure`.
public struct YouverifyErrorResponse: Codable, Hashable, Sendable {
  public var success = false
  public var statusCode: Int
  public var message: String
  public var error: Failure

  public struct Failure: Codable, Hashable, Sendable {
    /// `invalid_or_expired_session`, `session_token_error` or `API_ERROR`.
    public var key: String
    public var message: String
  }

  public init(statusCode: Int, key: String, message: String) {
    self.statusCode = statusCode
    self.message = message
    error = Failure(key: key, message: message)
  }
}
