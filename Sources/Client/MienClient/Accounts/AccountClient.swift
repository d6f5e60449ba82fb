public import Foundation
public import MienAPI
internal import MienCore

/// Session of a signed-in user. It is a secret of the device; store it in the keychain only.
public struct AccountSession: Codable, Hashable, Sendable {
  /// Cookie as `name=value`.
  public var cookie: String
  /// Token that changes need beside the cookie.
  public var csrfToken: String
  /// Name of the user.
  public var name: String
  /// `operator` or `verifier`.
  public var role: String
  /// `live` or `sandbox`.
  public var realm: String
  /// Time at which the session ends, RFC 3339 in UTC.
  public var expiresAt: String

  public init(cookie: String, account: AccountResponse) {
    self.cookie = cookie
    csrfToken = account.csrfToken
    name = account.name
    role = account.role
    realm = account.realm
    expiresAt = account.expiresAt
  }

  /// Header fields of a request with this session. The origin is that of the server itself: behind a proxy that
  /// terminates TLS, the server learns from it that the client used HTTPS.
  func headers(for server: URL) -> [String: String] {
    ["Cookie": cookie, "X-CSRF-Token": csrfToken, "Origin": AccountClient.origin(of: server)]
  }
}

extension AccountSession: CustomStringConvertible, CustomReflectable {
  public var description: String { "AccountSession(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Client of a user account: signs in and out, creates checks, and enrolls people.
///
/// It is for apps that talk to a guarded server without a backend of their own. Apps with one get the token of a check from it.
public struct AccountClient: Sendable {
  private let server: URL
  private let credentials: APICredentials
  private let api: APIClient

  /// - Parameters:
  ///   - server: the server's address, with the path that a proxy adds in front, if any.
  ///   - credentials: get the session by ``signIn(name:password:sandbox:)`` and lose it by ``signOut()``.
  ///   - transport: sends the requests.
  public init(server: URL, credentials: APICredentials, transport: any Transport = URLSessionTransport()) {
    self.server = server
    self.credentials = credentials
    api = APIClient(server: server, transport: transport, credentials: credentials)
  }

  /// Signs in. The session is the credential of all later requests.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/unauthorized`` for a wrong name or password; `CancellationError`.
  @discardableResult
  public func signIn(name: String, password: String, sandbox: Bool = false) async throws -> AccountSession {
    let body = Array(
      try JSONEncoder().encode(SignInRequest(name: name, password: password, sandbox: sandbox)))
    // Without a credential: an old session must not take part in signing in.
    let anonymous = APIClient(server: server, transport: api.transport, secret: nil)
    let reply = try await anonymous.send(
      "POST", "/v1/sign-in", headers: ["Content-Type": "application/json", "Origin": Self.origin(of: server)],
      body: body)
    let account: AccountResponse = try APIClient.read(reply)
    guard let cookie = Self.cookie(in: reply.headers["set-cookie"]) else {
      throw ClientError.unreadable(status: reply.status)
    }
    let session = AccountSession(cookie: cookie, account: account)
    await credentials.change(to: .session(session))
    return session
  }

  /// Ends the session on the server, as far as it can be reached, and on this device in any case.
  public func signOut() async {
    try? await api.tell("POST", "/v1/sign-out")
    await credentials.change(to: nil)
  }

  /// Creates a check.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`, like all methods of this client.
  public func create(_ request: CreateCheckRequest) async throws -> CreateCheckResponse {
    try await api.ask("POST", "/v1/checks", body: request)
  }

  /// Returns the session of a check whose ID and secret were in a QR code.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/unauthorized`` for a wrong secret.
  public func session(of id: String, secret: String) async throws -> CheckSession {
    guard let id = CheckID(id) else { throw ClientError(.notFound, detail: "No check can have this ID.") }
    let holder = APIClient(server: server, transport: api.transport, secret: secret)
    let check: CreateCheckResponse = try await holder.post(
      "/v1/checks/\(id.text)/token", bytes: [], type: "application/json", headers: [:])
    return CheckSession(id: check.id, token: check.token)
  }

  /// Derives a person's depth thresholds from several captures of the face.
  ///
  /// - Parameters:
  ///   - person: pseudonym, 1 to 64 characters of `A–Z a–z 0–9 - _`.
  ///   - captures: at least three, each of type `application/vnd.mien.depth-frame`.
  /// - Throws: ``ClientError`` with ``ClientError/Code/notAssessed`` if the captures are too few, too different, or
  ///   show no face.
  public func enroll(_ person: String, depth captures: [[UInt8]]) async throws -> EnrollmentResponse {
    guard let id = PersonID(person) else {
      throw ClientError(.badValue, detail: "A person's id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    return try await api.post(
      "/v1/people/\(id.text)/enrollment", bytes: captures.flatMap { $0 }, type: "application/vnd.mien.depth-frame",
      headers: [:])
  }

  /// Returns `scheme://host[:port]` in lower case, without the port of the scheme, as browsers send it.
  static func origin(of server: URL) -> String {
    let scheme = (server.scheme ?? "https").lowercased()
    let port = server.port.map { $0 == (scheme == "http" ? 80 : 443) ? "" : ":\($0)" } ?? ""
    var host = (server.host ?? "").lowercased()
    if host.contains(":"), !host.hasPrefix("[") { host = "[\(host)]" }
    return "\(scheme)://\(host)\(port)"
  }

  /// Returns the session cookie as `name=value`, or `nil` if the field sets another one.
  private static func cookie(in field: String?) -> String? {
    guard let pair = field?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces),
      pair.hasPrefix("__Host-mien=") || pair.hasPrefix("mien="), !pair.hasSuffix("=")
    else { return nil }
    return pair
  }
}
