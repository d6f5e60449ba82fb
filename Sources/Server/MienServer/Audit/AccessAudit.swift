internal import Hummingbird
internal import MienAccess
internal import MienCore
internal import MienPlatform
internal import Synchronization

/// Records accesses to personal data, deletions and enrollments in the audit log before the response is sent.
enum AccessAudit {
  /// Shared by all routes, so that reading a scan's report and then its files is logged once. IDs are unique across
  /// realms.
  private static let recent = RecentAccessCache()

  /// Responds with `handler` and logs the access, deletion or enrollment.
  ///
  /// A deletion or enrollment authorized by an API key is logged before it is executed; a deletion authorized by a
  /// receipt, after the receipt was accepted. A response to `HEAD` exposes nothing.
  static func recording(
    _ rule: RoutePolicy.AuditRule, _ request: Request, _ context: ServerContext, in log: AuditLog, at now: UnixTime,
    _ handler: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let subject = "\(rule.kind)/\(context.parameters.first.map { String($0.1) } ?? "")"
    let known = context.actor
    if let known, rule.isChange { try await log.add(rule.action, of: subject, by: known) }
    let response = try await handler(request, context)
    guard response.status.kind == .successful, known == nil || !rule.isChange, request.method != .head else {
      return response
    }
    let actor = known ?? unauthenticatedActor(request)
    if rule.isChange {
      try await log.add(rule.action, of: subject, by: actor)
    } else {
      try await note(rule.action, of: subject, by: actor, in: log, at: now)
    }
    return response
  }

  /// Adds an entry unless the same access was logged within the last minute. The data must be sent only after this
  /// returns.
  static func note(
    _ action: AuditAction, of subject: String, by actor: String, in log: AuditLog, at now: UnixTime
  ) async throws {
    let access = "\(actor) \(action.rawValue) \(subject)"
    guard !recent.isRecent(access, at: now) else { return }
    try await log.add(action, of: subject, by: actor)
    recent.remember(access, at: now)
  }

  /// Returns the actor for a request without an API key or session: `receipt` if it has another bearer token, else
  /// `anyone`.
  static func unauthenticatedActor(_ request: Request) -> String {
    (RequestParsing.bearer(request) == nil ? AuditActorKind.anyone : .receipt).actor()
  }
}

/// Deduplicates audit entries for repeated accesses within one minute, such as reading all images of a scan.
final class RecentAccessCache: Sendable {
  private static let minute = Interval.seconds(60)
  private static let most = 10_000

  private let ends = Mutex<[String: UnixTime]>([:])

  func isRecent(_ access: String, at now: UnixTime) -> Bool {
    // An end later than in a minute is from before the clock was set back.
    ends.withLock { ends in ends[access].map { now < $0 && $0 <= now.adding(Self.minute) } ?? false }
  }

  func remember(_ access: String, at now: UnixTime) {
    ends.withLock { ends in
      if ends.count >= Self.most { ends = ends.filter { now < $0.value } }
      if ends.count < Self.most { ends[access] = now.adding(Self.minute) }
    }
  }
}
