import MienTestGenerators
import MienAuthenticity
import MienCore
import MienPlatform
import MienSecurity
import MienChecks
import MienCaptures
import MienScanService
import MienTestSupport
import Testing

@testable import MienStore

@Suite(.enabled(if: PostgresServer.isInstalled)) struct `Shared work on PostgreSQL` {
  private let time = UnixTime(milliseconds: 5000)

  /// Returns two servers that have joined the cluster.
  private func openTwoServers() async throws -> (PostgresStore, PostgresStore) {
    let address = try PostgresServer.shared.get().address()
    let (first, second) = (
      try await PostgresStore(address, server: "first"), try await PostgresStore(address, server: "second")
    )
    #expect(try await first.join() == .alone)
    try await setLastHeartbeat("seen_ms + 3600000", in: first)
    #expect(try await second.join() == .wait, "the first server may be deleting files")
    try await first.finishJoining()
    #expect(try await second.join() == .among)
    try await setLastHeartbeat("seen_ms + 3600000", in: first)
    return (first, second)
  }

  private func scan(_ number: Int) throws -> ScanRecord {
    let digits = String(number)
    let id = try #require(ScanID("scn_" + String(repeating: "0", count: 32 - digits.count) + digits))
    let file = ScanRecord.File(
      name: "a.bin", bytes: 1, received: 1, type: "x", blob: BlobID("b-\(number)"),
      digest: ContentDigest(of: []))
    return ScanRecord(
      id: id, kind: .face, photosExpected: 3, created: time, changed: time, status: .queued, files: [file])
  }

  /// Sets the time of the last heartbeat of one server or of all. A time in the future tolerates slow tests.
  private func setLastHeartbeat(_ time: String, of server: String? = nil, in store: PostgresStore) async throws {
    _ = try await store.write("Test") { db in
      try db.change("UPDATE mien.server SET seen_ms = \(time) WHERE id = coalesce($1, id)", [server])
    }
  }

  /// Sets a server's last heartbeat to the distant past.
  private func expireHeartbeat(of server: String, in store: PostgresStore) async throws {
    try await setLastHeartbeat("0", of: server, in: store)
  }

  @Test func `each scan is claimed by one server`() async throws {
    let (first, second) = try await openTwoServers()
    for number in 0..<24 { try await first.save(scan(number), owner: nil, request: nil) }
    let taken = try await withThrowingTaskGroup(of: [ScanID].self) { group in
      for store in [first, second, first, second] {
        group.addTask {
          var taken: [ScanID] = []
          // A server that finds the oldest scan locked and no other one tries again.
          while try await store.scans(Self.queued).total > 0 {
            if let scan = try await store.acquire(at: UnixTime(milliseconds: 6000)) { taken.append(scan.id) }
          }
          return taken
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(taken.count == 24 && Set(taken).count == 24)
  }

  private static var queued: ScanQuery {
    var query = ScanQuery()
    query.status = .queued
    return query
  }

  @Test(arguments: [true, false])
  func `work of a dead server continues on another and its late results are ignored`(
    leavesCluster: Bool
  ) async throws {
    let (first, second) = try await openTwoServers()
    let one = try scan(1)
    try await first.save(one, owner: nil, request: nil)
    #expect(try await first.acquire(at: time)?.id == one.id)
    #expect(try await second.workingScans().isEmpty, "an active server keeps its work")
    #expect(try await !second.progressed(one.id, .init(.fusing, 0.5), at: time))
    #expect(try await !second.move(one.id, from: [.working], to: .queued, problem: nil, at: time))
    #expect(try await second.finish(one.id, outcome: ScanReport(), results: [], at: time) == nil)

    if leavesCluster { try await first.leaveCluster() } else { try await expireHeartbeat(of: "first", in: second) }
    #expect(try await second.workingScans().map(\.id) == [one.id])
    #expect(try await second.move(one.id, from: [.working], to: .queued, problem: nil, at: time))
    #expect(try await second.acquire(at: time)?.attempts == 2)
    try await first.heartbeat()
    #expect(try await !first.progressed(one.id, .init(.fusing, 0.5), at: time))
    #expect(try await first.finish(one.id, outcome: ScanReport(), results: [], at: time) == nil)
    #expect(
      try await !first.move(one.id, from: [.working], to: .failed, problem: .init(code: "c", detail: "d"), at: time))
    #expect(try await second.finish(one.id, outcome: ScanReport(), results: [], at: time) == [])
    #expect(try await first.scan(one.id)?.status == .done)
  }

  @Test func `any server can cancel work and the processing server is notified`() async throws {
    let (first, second) = try await openTwoServers()
    let one = try scan(1)
    try await first.save(one, owner: nil, request: nil)
    _ = try await first.acquire(at: time)
    #expect(try await second.move(one.id, from: [.queued, .working], to: .cancelled, problem: nil, at: time))
    #expect(try await !first.progressed(one.id, .init(.fusing, 0.5), at: time))
  }

  @Test func `captures are analyzed by the server that claims them or by another after its death`() async throws {
    let (first, second) = try await openTwoServers()
    let captures = try (0..<3).map { try sampleCapture(UInt64(200 + $0), photo: UInt8($0), at: Int64($0)) }
    for capture in captures { _ = try await first.save(capture) }
    #expect(try await first.queuedCaptures(limit: 2) == [captures[0].id, captures[1].id])
    #expect(try await second.queuedCaptures(limit: 9) == [captures[2].id])
    #expect(
      try await first.queuedCaptures(limit: 9) == [captures[0].id, captures[1].id],
      "the claimed captures are returned again")
    let results = DetectionResults.unavailable(because: .unreadable)
    #expect(try await first.analyzed(captures[0].id, results, provenance: .none, reception: nil, visualizations: []))
    try await expireHeartbeat(of: "first", in: second)
    #expect(try await second.queuedCaptures(limit: 9) == [captures[1].id, captures[2].id])
    #expect(try await first.queuedCaptures(limit: 9).isEmpty)
  }

  @Test func `a server that died during cleanup blocks nobody and a restarted one counts once`()
    async throws
  {
    let address = try PostgresServer.shared.get().address()
    let (first, second) = (
      try await PostgresStore(address, server: "first"), try await PostgresStore(address, server: "second")
    )
    #expect(try await first.join() == .alone)
    #expect(try await first.join() == .alone, "its earlier registration does not count as another server")
    try await expireHeartbeat(of: "first", in: first)
    #expect(try await second.join() == .alone)
    try await second.leaveCluster()
    #expect(try await first.join() == .alone)
  }

  @Test func `a timed-out check is ended by its owner or by another server with its result`()
    async throws
  {
    let address = try PostgresServer.shared.get().address()
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 7, count: 32)))
    let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
    let stores = (
      try await PostgresStore(address, server: "first"), try await PostgresStore(address, server: "second")
    )
    func service(_ store: PostgresStore, _ chance: UInt64) -> LivenessCheckService {
      LivenessCheckService(
        store: store, observer: ScriptedObserver(), clock: clock, settings: .scripted,
        generator: SplitMixGenerator(seed: chance), keyring: keyring)
    }
    let (first, second) = (service(stores.0, 1), service(stores.1, 2))
    let person = try #require(PersonID("anna"))
    let made = try await first.create(side: .subjectLeft, person: person, expectsDepth: false, reference: nil)
    for mark in 0..<5 {
      clock.advance(by: .milliseconds(100))
      _ = try await first.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: mark), of: made.check.id, token: made.token, client: "page",
        capturedAt: nil)
    }
    try await first.saveSnapshots()
    clock.advance(by: .seconds(181))
    try await setRenewalTime("0", in: stores.1)
    try await second.expireAndPurge()
    #expect(try await second.read(made.check.id).result == nil, "the first server gets time to end it")
    clock.advance(by: .seconds(3))
    try await setRenewalTime("9000000000000000", in: stores.1)
    try await second.expireAndPurge()
    #expect(try await second.read(made.check.id).result == nil, "the first server holds it")
    try await setRenewalTime("0", in: stores.1)
    try await second.expireAndPurge()
    let result = try #require(try await second.read(made.check.id).result)
    #expect(result.outcome == .timedOut && result.source == .observed && result.frames == 5)
    let kept = try await stores.0.lockouts(of: [.person(person)])
    #expect(kept[.person(person)]?.failures.count == 1)
    try await first.expireAndPurge()
    #expect(try await first.read(made.check.id).result == result, "the first server's outdated state does not count")
  }

  /// Sets the time at which the leases of checks were last renewed.
  private func setRenewalTime(_ time: String, in store: PostgresStore) async throws {
    _ = try await store.write("Test") { db in try db.change("UPDATE mien.live_snapshot SET renewed_ms = \(time)") }
  }

  @Test func `the blob location is shared with all servers and never collected as garbage`() async throws {
    let (first, second) = try await openTwoServers()
    let (one, other) = (try #require(BlobID("place-one")), try #require(BlobID("place-other")))
    #expect(try await first.blobPlace(orElse: nil) == nil)
    #expect(try await !first.wants(one))
    #expect(try await first.blobPlace(orElse: one) == one)
    #expect(try await second.blobPlace(orElse: other) == one)
    #expect(try await second.wants(one))
    #expect(try await !second.wants(other))
    #expect(
      try await second.blobPlace(orElse: other, isAlone: true) == other,
      "no record refers to files at the first location")
    _ = try await first.save(sampleCapture(7, photo: 1))
    #expect(try await first.blobPlace(orElse: one, isAlone: true) == other, "files of captures are stored there")
  }
}
