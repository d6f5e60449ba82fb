public import Foundation

/// Proof of identity that is sent with a request.
public enum APICredential: Hashable, Sendable {
  /// API key, or the token of a check. API keys belong to backends, never to an app.
  case bearer(String)
  /// Session of a signed-in user.
  case session(AccountSession)

  /// Header fields of a request to a server.
  func headers(for server: URL) -> [String: String] {
    switch self {
    case .bearer(let secret): ["Authorization": "Bearer \(secret)"]
    case .session(let session): session.headers(for: server)
    }
  }
}

/// Credential shared by the clients of one app. Signing in and out changes it for all of them.
@MainActor public final class APICredentials {
  private var kept: APICredential?
  private let fallback: APICredentials?

  /// - Parameters:
  ///   - credential: sent with every request; `nil` for none.
  ///   - fallback: asked while there is no credential here, for example those of the signed-in user beside the token
  ///     of one check.
  public nonisolated init(_ credential: APICredential? = nil, fallback: APICredentials? = nil) {
    kept = credential
    self.fallback = fallback
  }

  /// Credential of the next request; `nil` sends none.
  public var current: APICredential? {
    get { kept ?? fallback?.current }
    set { kept = newValue }
  }

  func change(to credential: APICredential?) { current = credential }

  /// Returns the header fields of a request to a server, or none.
  public func headers(for server: URL) -> [String: String] { current?.headers(for: server) ?? [:] }
}

extension APICredential: CustomStringConvertible, CustomReflectable {
  public var description: String { "APICredential(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
