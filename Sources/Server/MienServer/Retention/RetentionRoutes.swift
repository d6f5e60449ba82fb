internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienChecks
internal import MienCaptures
internal import MienScanService
internal import MienAPI

/// Route of retention times and deletion counts, for keys with the scope `admin`; each reads those of its own realm.
struct RetentionRoutes: Sendable {
  let realms: Realms

  func add(to routes: inout APIRoutes) {
    routes.get("/v1/retention", RoutePolicy(.key, .admin)) { call in
      JSONResponse.json(response(in: call.realm))
    }
  }

  private func response(in realm: Realm) -> RetentionResponse {
    let (settings, retention) = (realms[realm].checks.settings, realms[realm].retention)
    func seconds(_ time: Interval?) -> Int? { time.map { Int($0.nanoseconds / 1_000_000_000) } }
    var kept: [RetentionCategory: Int?] = [
      .checks: seconds(settings.resultLifetime), .images: seconds(settings.imageLifetime),
      .clips: seconds(settings.clipLifetime), .templates: seconds(settings.templateLifetime),
    ]
    if let captures = realms.captures { kept[.captures] = seconds(captures[realm].settings.lifetime) }
    if let scans = realms.scans {
      kept[.scans] = seconds(scans[realm].settings.lifetime)
      kept[.unfinishedScans] = seconds(scans[realm].settings.timeout)
    }
    let last = retention.last
    return RetentionResponse(
      retentionSeconds: Dictionary(uniqueKeysWithValues: kept.map { ($0.key.rawValue, $0.value) }),
      deleted: Self.named(retention.totals),
      lastReport: last.map {
        .init(at: JSONResponse.rfc3339(milliseconds: $0.at.milliseconds), deleted: Self.named($0.counts))
      })
  }

  private static func named(_ counts: PurgeCounter.Counts) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
  }
}
