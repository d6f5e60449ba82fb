internal import Hummingbird
internal import MienModel
internal import MienService
internal import MienWire

/// How long things are kept and what went when that was over, for keys with the scope `admin`: each reads that of its own space.
struct RetentionRoutes<Observer: FaceObserver>: Sendable {
  let spaces: Spaces<Observer>

  func add(to router: Router<ServerContext>) {
    router.get("/v1/retention") { request, _ in
      let service = try await spaces.authorised(request).service
      return Replies.json(reply(of: service, in: service.settings.space))
    }
  }

  private func reply(of service: CheckService<Observer>, in space: Space) -> RetentionReply {
    func seconds(_ time: Interval?) -> Int? { time.map { Int($0.nanoseconds / 1_000_000_000) } }
    var kept: [RetainedKind: Int?] = [
      .checks: seconds(service.settings.resultLifetime), .pictures: seconds(service.settings.pictureLifetime),
      .films: seconds(service.settings.clipLifetime),
    ]
    if let captures = spaces.captures { kept[.captures] = seconds(captures[space].settings.lifetime) }
    if let scans = spaces.scans {
      kept[.scans] = seconds(scans[space].settings.lifetime)
      kept[.unfinishedScans] = seconds(scans[space].settings.patience)
    }
    let last = service.retention.last
    return RetentionReply(
      secondsKept: Dictionary(uniqueKeysWithValues: kept.map { ($0.key.rawValue, $0.value) }),
      erased: Self.named(service.retention.totals),
      lastReport: last.map {
        .init(at: Replies.rfc3339(milliseconds: $0.at.milliseconds), erased: Self.named($0.counts))
      })
  }

  private static func named(_ counts: RetentionBook.Counts) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
  }
}
