internal import MienTestGenerators
internal import MienAvatars
internal import MienCore
internal import MienPlatform
public import MienCaptures
public import MienChecks
public import MienMessageService
internal import MienVault
internal import Testing

/// Returns the items of all pages of a list, which `read` reads from a cursor.
private func walk<Item>(
  limit: Int, _ read: (PageRequest) async throws -> RecordPage<Item>
) async throws -> [Item] {
  var (page, items): (PageRequest, [Item]) = (PageRequest(), [])
  page.limit = limit
  while true {
    let found = try await read(page)
    #expect(found.items.count <= limit)
    items += found.items
    guard let next = found.next else { return items }
    #expect(found.items.count == limit, "only the last page is short")
    #expect(PageCursor(text: next.text) == next)
    page.after = next
  }
}

private func listed(
  _ id: String, at created: Int64, person: String? = nil, reference: String? = nil, assurance: AssuranceLevel? = nil
) throws -> CheckRecord {
  CheckRecord(
    id: try #require(CheckID(id)), token: SecretDigest(of: "token of \(id)"),
    created: UnixTime(milliseconds: created), expires: UnixTime(milliseconds: created + 180_000), side: .subjectLeft,
    person: person.flatMap { PersonID($0) }, expectsDepth: false, reference: reference, assurance: assurance)
}

/// Conformance test for the list of a ``CheckStore``.
public func checkCheckList(_ make: () async throws -> some CheckStore) async throws {
  let store = try await make()
  func ids(limit: Int = 50, _ change: (inout CheckListQuery) -> Void = { _ in }) async throws -> [String] {
    var query = CheckListQuery()
    change(&query)
    return try await walk(limit: limit) { page in
      var query = query
      (query.page.after, query.page.limit) = (page.after, page.limit)
      return try await store.checks(query)
    }.map(\.id.text)
  }
  #expect(try await ids().isEmpty)

  // Two checks with the same time are ordered by their IDs.
  let made = [
    try listed("chk_a", at: 1000, person: "ada", reference: "order 1", assurance: .basic),
    try listed("chk_c", at: 2000, person: "ben", reference: "ada", assurance: .high),
    try listed("chk_b", at: 2000, person: "ada", assurance: .standard),
    try listed("chk_d", at: 3000, reference: "order 1"), try listed("ada", at: 4000),
  ]
  for check in made { try await store.create(check) }
  try await store.decide(made[0].id, try sampleResult(.passed))
  try await store.decide(made[1].id, try sampleResult(.failed))
  try await store.decide(made[2].id, try sampleResult(.timedOut))
  let all = ["ada", "chk_d", "chk_c", "chk_b", "chk_a"]
  for limit in 1...6 { #expect(try await ids(limit: limit) == all) }

  #expect(try await ids { $0.state = .open } == ["ada", "chk_d"])
  #expect(try await ids { $0.state = .passed } == ["chk_a"])
  #expect(try await ids { $0.state = .failed } == ["chk_c"])
  #expect(try await ids { $0.state = .timedOut } == ["chk_b"])
  #expect(try await ids { $0.assurance = .high } == ["chk_c"])
  #expect(try await ids { $0.reference = "order 1" } == ["chk_d", "chk_a"])
  #expect(try await ids { $0.reference = "order%" }.isEmpty, "references are compared exactly")
  #expect(try await ids(limit: 1) { $0.person = PersonID("ada") } == ["chk_b", "chk_a"])
  #expect(try await ids { $0.name = "ada" } == ["ada", "chk_c", "chk_b", "chk_a"])
  #expect(try await ids { $0.name = "chk_d" } == ["chk_d"])
  #expect(try await ids { ($0.name, $0.state) = ("ada", .failed) } == ["chk_c"])
  #expect(try await ids { $0.page.from = UnixTime(milliseconds: 2000) } == ["ada", "chk_d", "chk_c", "chk_b"])
  #expect(try await ids { $0.page.until = UnixTime(milliseconds: 2000) } == ["chk_a"])
  #expect(try await ids { $0.page.until = UnixTime(milliseconds: .min) }.isEmpty)

  var query = CheckListQuery()
  query.state = .failed
  let failed = try #require(try await store.checks(query).items.first)
  let result = try sampleResult(.failed)
  #expect(
    failed
      == CheckSummary(
        id: made[1].id, created: made[1].created, expires: made[1].expires, assurance: .high, person: PersonID("ben"),
        reference: "ada",
        verdict: CheckSummary.Verdict(
          outcome: .failed, reason: result.reason, decided: result.decided, source: result.source, basis: result.basis))
  )

  // Checks that are created between two pages do not move the second one.
  query = CheckListQuery()
  query.page.limit = 2
  let first = try await store.checks(query)
  try await store.create(try listed("chk_new", at: 9000))
  try await store.create(try listed("chk_e", at: 3000))
  query.page.after = first.next
  let second = try await store.checks(query)
  #expect(first.items.map(\.id.text) == ["ada", "chk_d"] && second.items.map(\.id.text) == ["chk_c", "chk_b"])
  // The cursor of a deleted check remains valid.
  _ = try await store.delete(made[3].id)
  #expect(try await store.checks(query).items.map(\.id.text) == ["chk_c", "chk_b"])
  for cursor in [PageCursor(milliseconds: .min, id: "a"), PageCursor(milliseconds: 0, id: "' OR 1=1 --")] {
    query.page.after = cursor
    #expect(try await store.checks(query).items.isEmpty)
  }
  query.page.after = PageCursor(milliseconds: .max, id: "a")
  #expect(try await store.checks(query).items.first?.id.text == "chk_new")
}

/// Conformance test for the list of a ``CaptureStore``.
public func checkCaptureList(_ make: () async throws -> some CaptureStore & CheckStore) async throws {
  let store = try await make()
  let check = try sampleCheck()
  try await store.create(check)
  var made: [CaptureRecord] = []
  for seed in UInt64(1)...5 {
    let sample = try sampleCapture(seed, photo: UInt8(seed), hashOnly: seed == 5, at: Int64(seed) * 1000)
    let capture =
      seed == 2
      ? CaptureRecord(
        id: sample.id, check: check.id, receipt: sample.receipt, received: sample.received, photo: sample.photo,
        photoType: sample.photoType, depth: nil, metadata: nil, detection: nil, claims: CaptureClaims(),
        signature: nil, state: .queued)
      : sample
    made.append(try await store.save(capture, quota: nil, checkLimits: nil))
  }
  for limit in 1...6 {
    let found = try await walk(limit: limit) { page in
      var query = CaptureListQuery()
      query.page = page
      return try await store.captures(query)
    }
    #expect(found.map(\.id) == made.reversed().map(\.id))
  }
  var query = CaptureListQuery()
  query.state = .hashOnly
  let digestOnly = try await store.captures(query).items
  #expect(
    digestOnly == [
      CaptureSummary(
        id: made[4].id, received: made[4].received, state: .hashOnly, check: nil, bytes: made[4].storedBytes,
        photoType: nil, hasDepth: false, hasMotion: true, isSigned: false)
    ])
  query = CaptureListQuery()
  query.check = check.id
  let own = try await store.captures(query).items
  #expect(own.map(\.id) == [made[1].id])
  #expect(own.first.map { !$0.hasDepth && !$0.hasMotion && $0.photoType == "image/jpeg" } == true)
  query.check = CheckID("chk_other")
  #expect(try await store.captures(query).items.isEmpty)
  query = CaptureListQuery()
  (query.page.from, query.page.until) = (made[1].received, made[3].received)
  #expect(Set(try await store.captures(query).items.map(\.id)) == [made[1].id, made[2].id])
}

/// Conformance test for the list of a ``MessageStore``.
public func checkMessageList(_ make: () async throws -> some MessageStore) async throws {
  let store = try await make()
  let born = UnixTime(milliseconds: 1_767_225_600_000)
  func message(_ seed: UInt64, living seconds: Double = 100) throws -> MessageRecord {
    var generator = SplitMixGenerator(seed: seed)
    let created = born.adding(.seconds(Double(seed)))
    let rules = try #require(
      UnlockPolicy(
        attempts: 10, firstWait: UnlockPolicy.standardWait, views: nil,
        expires: created.adding(.seconds(seconds)).instant))
    let sealed: EncryptedText = try #require(
      EncryptedText(key: [UInt8](repeating: 7, count: 32), box: [UInt8](repeating: 9, count: 92), cost: .standard))
    return MessageRecord(
      id: MessageID(using: &generator), receipt: SecretDigest(of: "receipt \(seed)"), created: created, mode: .secret,
      avatar: "fox", steps: 5, needsFrames: true, needsPassive: false,
      lock: try #require(UnlockPolicyState(rules: rules)),
      sealed: sealed, hint: nil)
  }
  let made = [try message(1), try message(2), try message(3, living: 5)]
  for message in made { try await store.save(message) }
  let now = born.adding(.seconds(50))
  for limit in 1...4 {
    let found = try await walk(limit: limit) { page in
      var query = MessageListQuery()
      query.page = page
      return try await store.messages(query, at: now)
    }
    #expect(found == made.reversed())
  }
  _ = try await store.changeLock(of: made[0].id) { $0.delete() }
  func ids(_ state: MessageListQuery.State) async throws -> [MessageID] {
    var query = MessageListQuery()
    query.state = state
    return try await store.messages(query, at: now).items.map(\.id)
  }
  #expect(try await ids(.open) == [made[1].id])
  #expect(try await ids(.deleted) == [made[0].id])
  #expect(try await ids(.expired) == [made[2].id], "an expired message is listed as expired immediately")
  #expect(try await ids(.read).isEmpty)
  _ = try await store.expireMessages(at: now, limit: 10)
  #expect(try await ids(.expired) == [made[2].id])
}
