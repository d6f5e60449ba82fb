internal import MienCore
internal import MienPlatform
public import MienWebhooks
public import MienChecks
internal import Testing

/// Returns a webhook with all fields set, for store tests.
public func sampleWebhook(
  _ id: String = "whk_1", created: Int64 = 1000, events: [WebhookEvent] = WebhookEvent.subscribable
) throws -> WebhookEndpoint {
  WebhookEndpoint(
    id: try #require(WebhookID(id)), url: "https://\(id).example/hook?a=1", events: events,
    secret: [UInt8](repeating: 1, count: 60), signingKey: [UInt8](repeating: 2, count: 60),
    publicKey: [UInt8](repeating: 3, count: 32), created: UnixTime(milliseconds: created))
}

/// Conformance test for ``WebhookStore``.
public func checkWebhookStore(_ make: () async throws -> some WebhookStore & CheckStore) async throws {
  try await checkWebhooks(try await make())
  try await checkVerdictMessages(try await make())
  try await checkTaking(try await make())
  try await checkSettling(try await make())
  try await checkRace(try await make())
}

private func at(_ milliseconds: Int64) -> UnixTime { UnixTime(milliseconds: milliseconds) }

private func ping(_ name: String, _ webhook: WebhookEndpoint, _ time: Int64) throws -> WebhookDelivery {
  WebhookDelivery(
    id: try #require(WebhookDeliveryID(name)), webhook: webhook.id, check: nil, event: .ping, created: at(time))
}

private func clear(_ store: some WebhookStore) async throws {
  for webhook in try await store.webhooks() { #expect(try await store.removeWebhook(webhook.id)) }
}

private func checkWebhooks(_ store: some WebhookStore & CheckStore) async throws {
  #expect(try await store.webhooks() == [])
  let (one, two) = (try sampleWebhook(created: 20), try sampleWebhook("whk_2", created: 10, events: [.checkFailed]))
  #expect(try await store.add(one, atMost: 2))
  #expect(try await store.add(two, atMost: 2))
  #expect(try await !store.add(try sampleWebhook("whk_3"), atMost: 2))
  #expect(try await store.webhooks() == [two, one], "oldest first")
  #expect(try await store.webhook(one.id) == one)
  let twice = await #expect(throws: StoreError.self) { _ = try await store.add(one, atMost: 9) }
  #expect(twice?.code == .duplicate)

  let unknown = try #require(WebhookID("whk_9"))
  let secret = [UInt8](repeating: 9, count: 60)
  #expect(try await store.rotate(one.id, to: secret, keepingOldUntil: at(500)))
  #expect(try await store.webhook(one.id)?.secret == secret)
  #expect(
    try await store.webhook(one.id)?.previous == WebhookEndpoint.Previous(secret: one.secret, until: at(500)))
  #expect(try await store.webhook(two.id) == two)
  #expect(try await !store.rotate(unknown, to: secret, keepingOldUntil: at(500)))

  try await store.disable(one.id, at: at(70), answer: "410")
  try await store.disable(one.id, at: at(80), answer: "410")
  #expect(try await store.webhook(one.id)?.disabled == at(70), "the time of the first call is preserved")
  #expect(try await store.webhook(two.id)?.disabled == nil)
  #expect(try await store.removeWebhook(one.id))
  #expect(try await !store.removeWebhook(one.id))
  #expect(try await store.webhook(one.id) == nil)
  try await clear(store)
}

private func checkVerdictMessages(_ store: some WebhookStore & CheckStore) async throws {
  let all = try sampleWebhook("whk_a")
  let failures = try sampleWebhook("whk_f", events: [.checkFailed])
  let passes = try sampleWebhook("whk_p", events: [.checkPassed])
  let gone = try sampleWebhook("whk_g")
  for webhook in [all, failures, passes, gone] { #expect(try await store.add(webhook, atMost: 9)) }
  try await store.disable(gone.id, at: at(1), answer: "410")

  let check = try sampleCheck("chk_told")
  try await store.create(check)
  #expect(try await store.messages(of: all.id, limit: 9) == [], "nothing is reported before the verdict")
  let result = try sampleResult()
  try await store.decide(check.id, result)
  let told = try await store.messages(of: all.id, limit: 9)
  #expect(told == [WebhookDelivery.telling(all.id, of: check.id, result)])
  #expect(told.first?.event == .checkFailed && told.first?.next == result.decided)
  #expect(try await store.messages(of: failures.id, limit: 9).map(\.check) == [check.id])
  #expect(try await store.messages(of: passes.id, limit: 9) == [])
  #expect(try await store.messages(of: gone.id, limit: 9) == [])
  await #expect(throws: StoreError.self) { try await store.decide(check.id, result) }
  #expect(try await store.messages(of: all.id, limit: 9).count == 1, "a verdict that is not stored is not sent")

  #expect(try await !store.delete(check.id).isEmpty)
  #expect(try await store.messages(of: all.id, limit: 9) == [], "messages are deleted with their check")
  try await clear(store)
}

private func checkTaking(_ store: some WebhookStore & CheckStore) async throws {
  let (one, two) = (try sampleWebhook("whk_1"), try sampleWebhook("whk_2"))
  for webhook in [one, two] { #expect(try await store.add(webhook, atMost: 9)) }
  let messages = [try ping("msg_b", one, 200), try ping("msg_a", one, 100), try ping("msg_c", two, 300)]
  for message in messages { try await store.post(message) }
  let stray = await #expect(throws: StoreError.self) {
    try await store.post(try ping("msg_x", try sampleWebhook("whk_none"), 1))
  }
  #expect(stray?.code == .missing)
  #expect(try await store.messages(of: one.id, limit: 9).map(\.id.text) == ["msg_b", "msg_a"], "newest first")
  #expect(try await store.messages(of: one.id, limit: 1).map(\.id.text) == ["msg_b"])

  #expect(try await store.takeMessages(dueAt: at(99), until: at(900), limit: 9) == [])
  let first = try await store.takeMessages(dueAt: at(300), until: at(900), limit: 9)
  #expect(Set(first.map(\.message.id.text)) == ["msg_a", "msg_c"], "one per webhook, longest waiting first")
  #expect(first.allSatisfy { $0.message.attempts == 1 && $0.message.state == .sending && $0.message.next == at(900) })
  #expect(Set(first.map(\.endpoint)) == [one, two])
  #expect(
    try await store.takeMessages(dueAt: at(899), until: at(1900), limit: 9) == [],
    "a webhook has one delivery at a time")
  let longest = try await store.takeMessages(dueAt: at(900), until: at(1900), limit: 1)
  #expect(longest.map(\.message.id.text) == ["msg_b"], "at most the limit, longest waiting first")
  let again = try await store.takeMessages(dueAt: at(900), until: at(1900), limit: 9)
  #expect(again.count == 1 && again.first?.message.attempts == 2, "an unfinished delivery becomes due again")
  try await clear(store)
}

private func checkSettling(_ store: some WebhookStore & CheckStore) async throws {
  let one = try sampleWebhook()
  #expect(try await store.add(one, atMost: 9))
  let message = try ping("msg_a", one, 100)
  let waitedBefore = try await store.waitingMessages()
  try await store.post(message)
  #expect(try await store.waitingMessages() == waitedBefore + 1)
  #expect(try await !store.complete(message.id, after: 0, as: .delivered, at: at(1), answer: "200"), "not acquired")
  _ = try await store.takeMessages(dueAt: at(100), until: at(130), limit: 9)
  #expect(try await store.save(body: [1, 2, 3], of: message.id) == [1, 2, 3])
  #expect(try await store.save(body: [4], of: message.id) == [1, 2, 3], "the first body is kept")
  #expect(try await store.complete(message.id, after: 1, as: .pending, at: at(200), answer: "500"))
  #expect(try await !store.complete(message.id, after: 1, as: .delivered, at: at(201), answer: "200"))
  #expect(try await store.takeMessages(dueAt: at(199), until: at(230), limit: 9) == [])
  let second = try #require(try await store.takeMessages(dueAt: at(200), until: at(230), limit: 9).first)
  #expect(second.message.body == [1, 2, 3] && second.message.answer == "500" && second.message.attempts == 2)
  let third = try #require(try await store.takeMessages(dueAt: at(230), until: at(260), limit: 9).first)
  #expect(try await !store.complete(message.id, after: 2, as: .failed, at: at(231), answer: "timeout"), "too late")
  #expect(try await store.complete(third.message.id, after: 3, as: .delivered, at: at(240), answer: "204"))
  let over = try #require(try await store.messages(of: one.id, limit: 9).first)
  #expect(over.state == .delivered && over.answer == "204" && over.next == at(240) && over.body == nil)
  #expect(try await store.takeMessages(dueAt: at(9999), until: at(19_999), limit: 9) == [], "the delivery has ended")
  #expect(try await store.save(body: [7], of: message.id) == nil)
  #expect(try await store.waitingMessages() == waitedBefore)
  let (other, unknown) = (try sampleWebhook("whk_other"), try ping("msg_none", one, 1))
  #expect(
    try await store.resend(message.id, of: other.id, at: at(239)) == nil, "the delivery belongs to another webhook")
  #expect(try await store.resend(unknown.id, of: one.id, at: at(239)) == nil)
  let queued = try #require(try await store.resend(message.id, of: one.id, at: at(239)))
  #expect(queued.state == .pending && queued.attempts == 0 && queued.next == at(239) && queued.body == nil)
  #expect(try await store.resend(message.id, of: one.id, at: at(240)) == nil, "the delivery is already queued")
  let resent = try #require(try await store.takeMessages(dueAt: at(239), until: at(250), limit: 9).first)
  #expect(resent.message.id == message.id && resent.message.attempts == 1)
  #expect(try await store.resend(message.id, of: one.id, at: at(240)) == nil, "the delivery is being sent")
  #expect(try await store.complete(message.id, after: 1, as: .delivered, at: at(240), answer: "200"))
  #expect(try await store.purgeMessages(overBefore: at(240)) == 0)
  #expect(try await store.purgeMessages(overBefore: at(241)) == 1)
  #expect(try await store.messages(of: one.id, limit: 9) == [])

  try await store.post(try ping("msg_b", one, 300))
  try await store.disable(one.id, at: at(310), answer: "410")
  let ended = try #require(try await store.messages(of: one.id, limit: 9).first)
  #expect(ended.state == .failed && ended.answer == "410" && ended.next == at(310))
  try await clear(store)
}

private func checkRace(_ store: some WebhookStore & CheckStore) async throws {
  for number in 0..<8 {
    let webhook = try sampleWebhook("whk_\(number)")
    #expect(try await store.add(webhook, atMost: 9))
    for turn in 0..<3 { try await store.post(try ping("msg_\(number)_\(turn)", webhook, 100)) }
  }
  let taken = try await withThrowingTaskGroup(of: [ClaimedWebhookDelivery].self) { group in
    for _ in 0..<10 {
      group.addTask { try await store.takeMessages(dueAt: at(100), until: at(200), limit: 9) }
    }
    return try await group.reduce(into: []) { $0 += $1 }
  }
  #expect(taken.count == 8 && Set(taken.map(\.message.webhook)).count == 8, "each delivery is claimed once")
  try await clear(store)
}

/// Behavior of a webhook target in the conformance test.
public enum TracingTargetConformance: String, Sendable, CaseIterable {
  case takes, refuses, redirects, gone, wantsTime, hangs, closes, talksNonsense, neverEnds
}

/// Conformance test for ``WebhookTransport``.
///
/// - Parameter reach: returns a transport with short limits and the URL of a target with the given behavior.
public func checkWebhookTransport(
  _ reach: (TracingTargetConformance) async throws -> (carrier: any WebhookTransport, url: String)
) async throws {
  let headers = [WebhookRequest.Header("webhook-id", "msg_1"), .init("content-type", "application/json")]
  for conduct in TracingTargetConformance.allCases {
    let (carrier, url) = try await reach(conduct)
    let answer = await carrier.post(WebhookRequest(url: url, headers: headers, body: Array(#"{"a":1}"#.utf8)))
    switch conduct {
    case .takes: #expect(answer == .status(204, retryAfter: nil))
    case .refuses: #expect(answer == .status(500, retryAfter: nil))
    case .redirects: #expect(answer == .status(307, retryAfter: nil), "a redirect is not followed")
    case .gone: #expect(answer == .status(410, retryAfter: nil))
    case .wantsTime: #expect(answer == .status(503, retryAfter: .interval(.seconds(120))))
    case .hangs: #expect(answer == .failed(.timeout))
    case .closes: #expect(answer == .failed(.connectionLost))
    case .talksNonsense: #expect(answer == .failed(.connectionLost))
    case .neverEnds: #expect(answer == .status(200, retryAfter: nil), "an endless response is not awaited")
    }
  }
  let (carrier, _) = try await reach(.takes)
  let nobody = await carrier.post(WebhookRequest(url: "http://127.0.0.1:1/", headers: headers, body: []))
  #expect(nobody == .failed(.noConnection))
  let strange = await carrier.post(WebhookRequest(url: "ftp://127.0.0.1/", headers: headers, body: []))
  #expect(strange == .failed(.badAddress))
}

/// Conformance test for ``WebhookPayloadSource``: a ping has a body, a delivery about a check that is gone has none.
public func checkWebhookPayloadSource(_ source: some WebhookPayloadSource) async throws {
  let webhook = try sampleWebhook()
  #expect(try await source.body(of: try ping("msg_ping", webhook, 1000))?.isEmpty == false)
  let gone = WebhookDelivery.telling(
    webhook.id, of: try #require(CheckID("chk_gone")), .checkPassed, decided: at(1000))
  #expect(try await source.body(of: gone) == nil)
}
