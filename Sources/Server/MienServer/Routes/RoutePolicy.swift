internal import HTTPTypes
internal import MienAccess
internal import MienCaptures
internal import MienMessageService

/// Policy of a route, declared where the route is added. ``RequestPipeline`` enforces it before the handler runs.
struct RoutePolicy: Hashable, Sendable {
  /// Credentials that a route accepts. An API key in a request must be valid for every route.
  struct Credentials: OptionSet, Hashable, Sendable {
    let rawValue: Int

    static let apiKey = Credentials(rawValue: 1)
    /// Cookie of a signed-in user; ignored by other routes.
    static let session = Credentials(rawValue: 2)
    /// A credential that the handler verifies: the token of a check, a receipt or a signature.
    static let token = Credentials(rawValue: 4)
    /// No credential, if the server allows demo access.
    static let demo = Credentials(rawValue: 8)
    /// No credential.
    static let none = Credentials(rawValue: 16)
    /// An API key in the header `Token` instead of `Authorization`.
    static let tokenHeader = Credentials(rawValue: 32)

    /// Everybody; other credentials in the request are ignored or verified by the handler.
    static let anyone: Credentials = [.none, .token]
    static let key: Credentials = [.apiKey, .session]
    static let keyOrDemo: Credentials = [.apiKey, .session, .demo]
    static let keyOrToken: Credentials = [.apiKey, .session, .token]
  }

  /// Pages of other origins that may use a route; none unless the operator has allowed their origin.
  enum CrossOriginAccess: Hashable, Sendable {
    case none
    case api
    /// Like `api`, with the methods and headers of resumable uploads.
    case uploads
    /// Every page: files of the browser client.
    case everyPage
  }

  /// Rate limit for requests without an API key, in addition to the limit per address.
  enum RateLimit: Hashable, Sendable {
    case captures(CaptureRateClass)
    case messages(MessageRateClass)
  }

  /// Entry that the audit log receives: the action, and the kind of data that the first parameter of the path names.
  struct AuditRule: Hashable, Sendable {
    let action: AuditAction
    let kind: String

    init(_ action: AuditAction, _ kind: String) {
      self.action = action
      self.kind = kind
    }

    /// `true` for changes of personal data. One authorized by a key is logged before it is executed.
    var isChange: Bool {
      switch action {
      case .enrolledTemplate, .deletedTemplate, .deletedCheck, .deletedPerson, .deletedCapture, .deletedDevice,
        .deletedScan, .deletedMessage:
        true
      default: false
      }
    }
  }

  /// Format of error responses.
  enum ErrorFormat: Hashable, Sendable {
    /// Problem details (RFC 9457).
    case problem
    /// Problem details with the protocol's version (tus 1.0).
    case tus
    case aws
    case youverify
  }

  let credentials: Credentials
  /// Scope that an API key or the role of a session needs; `nil` if any is enough.
  let scope: APIKeyScope?
  /// Maximum size in bytes of a body that is read as a whole; 0 for routes that read none or stream it with their own
  /// limits.
  let maximumBody: Int
  let audit: AuditRule?
  let rate: RateLimit?
  let origins: CrossOriginAccess
  /// `true` if the response is a credential, which a key for reading must not obtain.
  let revealsCredential: Bool
  let errors: ErrorFormat

  init(
    _ credentials: Credentials, _ scope: APIKeyScope? = nil, body maximumBody: Int = 0, audit: AuditRule? = nil,
    rate: RateLimit? = nil, origins: CrossOriginAccess = .api, revealsCredential: Bool = false,
    errors: ErrorFormat = .problem
  ) {
    self.credentials = credentials
    self.scope = scope
    self.maximumBody = maximumBody
    self.audit = audit
    self.rate = rate
    self.origins = origins
    self.revealsCredential = revealsCredential
    self.errors = errors
  }

  /// Policy of pages and their files.
  static let page = RoutePolicy(.anyone, origins: .none)

  /// Policy of the files of the browser client, which pages of any origin may load.
  static let clientFile = RoutePolicy(.anyone, origins: .everyPage)

  /// Returns `true` for requests that neither change anything nor reveal a credential for changes.
  func isReading(_ method: HTTPRequest.Method) -> Bool {
    (method == .get || method == .head) && !revealsCredential
  }
}

extension AccountRole {
  /// Returns `true` if the role is allowed to use a scope.
  func allows(_ scope: APIKeyScope?, reading: Bool) -> Bool {
    switch self {
    case .operator: true
    case .verifier: reading && scope.map { [.checks, .captures, .scans].contains($0) } == true
    }
  }
}
