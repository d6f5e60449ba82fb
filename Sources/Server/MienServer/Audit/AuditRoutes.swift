internal import Hummingbird
internal import MienPlatform
internal import MienAccess
internal import MienAPI

/// Routes of the audit log, for keys with the scope `admin`; each reads the log of its own realm.
struct AuditRoutes: Sendable {
  private static var page: Int { 1000 }

  let realms: Realms

  func add(to routes: inout APIRoutes) {
    routes.get("/v1/audit", RoutePolicy(.key, .admin)) { call in
      let request = call.request
      let log = realms[call.realm].access.audit
      let text = request.uri.queryParameters["after"].map(String.init)
      guard let after = Int64(text ?? "0"), after >= 0 else {
        throw ServiceError(.badValue, "\"after\" must be the number of an entry, or 0.")
      }
      if let subject = request.uri.queryParameters["about"].map(String.init) {
        guard (1...160).contains(subject.utf8.count) else {
          throw ServiceError(.badValue, "\"about\" must be a kind and an ID, such as person/ID or check/ID.")
        }
        let found = try await log.records(about: subject).filter { $0.number > after }.prefix(Self.page)
        return JSONResponse.json(AuditResponse(entries: found.map(AuditLine.init)))
      }
      return JSONResponse.json(
        AuditResponse(entries: try await log.records(after: after, limit: Self.page).map(AuditLine.init)))
    }
  }
}

extension AuditLine {
  init(_ record: ChainedAuditEntry) {
    self.init(
      number: record.number, at: JSONResponse.rfc3339(milliseconds: record.entry.at.milliseconds),
      actor: record.entry.actor,
      action: record.entry.action.rawValue, subject: record.entry.subject, link: record.linkText)
  }
}
