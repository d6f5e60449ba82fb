internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienService

/// Records accesses to personal data and deletions in the audit log before the response is sent.
///
/// A deletion authorized by an API key is logged before it is executed; one authorized by a receipt, after the receipt
/// was accepted.
struct AuditMiddleware<Observer: FaceTracking>: RouterMiddleware {
  let spaces: Realms<Observer>

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard let deed = AuditEvent(request.method, request.uri.path) else { return try await next(request, context) }
    let known = context.actor
    let log = spaces[context.keySpace ?? .live].service.audit
    if let known, deed.isErasing { try await log?.add(deed.action, of: deed.subject, by: known) }
    let response = try await next(request, context)
    guard response.status.kind == .successful, known == nil || !deed.isErasing else { return response }
    let actor = known ?? AccessAudit.stranger(request)
    if deed.isErasing {
      try await log?.add(deed.action, of: deed.subject, by: actor)
    } else {
      try await AccessAudit.note(deed.action, of: deed.subject, by: actor, in: log, at: spaces.live.service.timeOfDay)
    }
    return response
  }
}

/// Writes accesses to the audit log, for routes whose path or response identifies the data.
enum AccessAudit {
  /// Shared by all routes, so that reading a scan's report and then its files is logged once. IDs are unique across
  /// realms.
  private static let recent = RecentAccessCache()

  /// Adds an entry unless the same access was logged within the last minute. The data must be sent only after this
  /// returns.
  static func note(
    _ action: AuditAction, of subject: String, by actor: String, in log: AuditLog?, at now: UnixTime
  ) async throws {
    let sight = "\(actor) \(action.rawValue) \(subject)"
    guard !recent.isRecent(sight, at: now) else { return }
    try await log?.add(action, of: subject, by: actor)
    recent.remember(sight, at: now)
  }

  /// Returns the actor for a request without an API key or session: `receipt` if it has another bearer token, else
  /// `anyone`.
  static func stranger(_ request: Request) -> String { RequestParsing.bearer(request) == nil ? "anyone" : "receipt" }
}

/// Audited action of a request.
struct AuditEvent {
  let action: AuditAction
  let subject: String

  var isErasing: Bool {
    switch action {
    case .erasedCheck, .erasedPerson, .erasedCapture, .erasedDevice, .erasedScan, .erasedMessage: true
    default: false
    }
  }

  /// Returns `nil` for requests that neither expose nor delete personal data.
  init?(_ method: HTTPRequest.Method, _ path: String) {
    let parts = path.split(separator: "/")
    guard parts.count >= 3, parts[0] == "v1" else { return nil }
    let rest = parts.count > 3 ? parts[3] : nil
    let found: (AuditAction, String)? =
      switch (method, parts[1], rest) {
      case (.get, "checks", "images"): (.viewedImages, "check")
      case (.get, "checks", "clip"): (.viewedClip, "check")
      case (.get, "captures", "parts"), (.get, "captures", "drawings"): (.viewedCapture, "capture")
      // The scan report contains face measurements too; ``ScanRoutes`` logs the responses that include it.
      case (.get, "scans", .some): (.viewedScan, "scan")
      case (.get, "subjects", "export"): (.viewedScan, "subject")
      case (.delete, "checks", nil): (.erasedCheck, "check")
      case (.delete, "people", nil): (.erasedPerson, "person")
      case (.delete, "captures", nil): (.erasedCapture, "capture")
      case (.delete, "devices", nil): (.erasedDevice, "device")
      case (.delete, "scans", nil): (.erasedScan, "scan")
      case (.delete, "subjects", nil): (.erasedScan, "subject")
      case (.delete, "messages", nil): (.erasedMessage, "message")
      default: nil
      }
    guard let found else { return nil }
    action = found.0
    subject = "\(found.1)/\(parts[2])"
  }
}
