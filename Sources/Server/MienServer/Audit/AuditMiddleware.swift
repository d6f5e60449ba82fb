internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienService

/// Writes down who saw or erased what. Nobody sees what is not written down: a reply waits for its entry.
///
/// What a key erases is written down before it is done; what others erase with a receipt, once it turned out to be theirs.
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

/// Writes down who sees what, whether a request's path tells it or only its reply, as with reports of scans.
enum AccessAudit {
  /// One for all routes, so that who reads a scan's report and then its files saw it once. Names tell the worlds apart.
  private static let recent = RecentAccessCache()

  /// Adds an entry, unless the same was written down within the last minute. What is seen is shown when this has returned.
  static func note(
    _ action: AuditAction, of subject: String, by actor: String, in log: AuditLog?, at now: UnixTime
  ) async throws {
    let sight = "\(actor) \(action.rawValue) \(subject)"
    guard !recent.isRecent(sight, at: now) else { return }
    try await log?.add(action, of: subject, by: actor)
    recent.remember(sight, at: now)
  }

  /// Who shows neither a key nor that they are signed in.
  static func stranger(_ request: Request) -> String { RequestParsing.bearer(request) == nil ? "anyone" : "receipt" }
}

/// What a request does that the audit log remembers.
struct AuditEvent {
  let action: AuditAction
  let subject: String

  var isErasing: Bool {
    switch action {
    case .erasedCheck, .erasedPerson, .erasedCapture, .erasedDevice, .erasedScan, .erasedMessage: true
    default: false
    }
  }

  /// nil for what nobody need remember: what shows and erases nothing of a person.
  init?(_ method: HTTPRequest.Method, _ path: String) {
    let parts = path.split(separator: "/")
    guard parts.count >= 3, parts[0] == "v1" else { return nil }
    let rest = parts.count > 3 ? parts[3] : nil
    let found: (AuditAction, String)? =
      switch (method, parts[1], rest) {
      case (.get, "checks", "images"): (.viewedImages, "check")
      case (.get, "checks", "clip"): (.viewedClip, "check")
      case (.get, "captures", "parts"), (.get, "captures", "drawings"): (.viewedCapture, "capture")
      // The report has measures of a face, too; which replies have it, ``ScanRoutes`` knows.
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
