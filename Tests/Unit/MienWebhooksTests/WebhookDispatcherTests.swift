import MienTestGenerators
import Foundation
import MienCore
import MienStore
import MienTestSupport
import Synchronization
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity
@testable import MienWebhooks

/// Transport that returns scripted results and records the requests.
private final class ScriptedCarrier: WebhookTransport {
  let answers: Mutex<[DeliveryResult]>
  let posted = Mutex<[WebhookRequest]>([])

  init(_ answers: [DeliveryResult]) { self.answers = Mutex(answers) }

  func post(_ request: WebhookRequest) async -> DeliveryResult {
    posted.withLock { $0.append(request) }
    return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
  }
}

/// Payloads that differ with each call, as signatures may.
private struct VaryingPayloads: WebhookPayloadSource {
  let store: SQLiteStore

  func body(of delivery: WebhookDelivery) async throws -> [UInt8]? {
    if let check = delivery.check, try await store.check(check) == nil { return nil }
    return Array("\(delivery.event.rawValue) \(delivery.check?.text ?? "") \(UUID())".utf8)
  }
}

@Suite struct `Webhook dispatcher` {
  private let store: SQLiteStore
  private let keyring: MasterKeyring
  private let clock = ManualClock()
  private let meter = ServiceMetrics()
  private let webhook: WebhookID
  private let secret: String
  private let service: WebhookService

  init() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-dispatcher-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path)
    keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
    service = WebhookService(
      store: store, keyring: keyring, clock: clock, generator: SplitMixGenerator(seed: 1))
    let made = try await service.add(url: "https://shop.example/hook", events: nil)
    (webhook, secret) = (made.webhook.id, made.secret)
  }

  private func dispatcher(
    _ carrier: ScriptedCarrier, keyring: MasterKeyring? = nil, settings: WebhookSettings = WebhookSettings()
  )
    -> WebhookDispatcher
  {
    WebhookDispatcher(
      store: store, keyring: keyring ?? self.keyring, carrier: carrier, clock: clock, settings: settings, meter: meter,
      generator: SplitMixGenerator(seed: 2), payloads: VaryingPayloads(store: store))
  }

  private func decide(_ id: String = "chk_1") async throws {
    let check = try sampleCheck(id)
    try await store.create(check)
    try await store.decide(check.id, try sampleResult())
  }

  private func work(_ dispatcher: WebhookDispatcher) async throws -> Int {
    let deliveries = try await dispatcher.take()
    for delivery in deliveries { try await dispatcher.deliver(delivery) }
    return deliveries.count
  }

  private func newest() async throws -> WebhookDelivery {
    try #require(try await service.deliveries(of: webhook).first)
  }

  @Test func `payloads of tests follow the protocol`() async throws {
    try await checkWebhookPayloadSource(VaryingPayloads(store: store))
  }

  @Test func `a claimed delivery is sent once`() async throws {
    try await decide()
    let carrier = ScriptedCarrier([.status(204, retryAfter: nil)])
    let dispatcher = dispatcher(carrier)
    #expect(try await work(dispatcher) == 1)
    #expect(try await work(dispatcher) == 0)
    let posted = try #require(carrier.posted.withLock { $0 }.first)
    #expect(posted.url == "https://shop.example/hook")
    let headers = Dictionary(uniqueKeysWithValues: posted.headers.map { ($0.name, $0.value) })
    #expect(try await headers["webhook-id"] == newest().id.text)
    #expect(headers["webhook-timestamp"] == "1767225600" && headers["content-type"] == "application/json")
    #expect(String(decoding: posted.body, as: UTF8.self).hasPrefix("check.failed chk_1 "))
    #expect(try await newest().state == .delivered)
    #expect(try await newest().answer == "204")
    #expect(meter.read().webhooks == [.delivered: 1])
  }

  @Test func `a failed delivery is retried with the same id and bytes at growing intervals, and then given up`()
    async throws
  {
    try await decide()
    let carrier = ScriptedCarrier([.failed(.timeout)])
    let dispatcher = dispatcher(carrier)
    let settings = WebhookSettings()
    for (index, delay) in settings.delays.enumerated() {
      #expect(try await work(dispatcher) == 1)
      let message = try await newest()
      #expect(message.state == .pending && message.attempts == index + 1 && message.answer == "timeout")
      let wait = Double(message.next.milliseconds - clock.timeOfDay().milliseconds) / 1000
      #expect(wait >= delay.inSeconds * 0.799 && wait <= delay.inSeconds * 1.201)
      clock.advance(by: .seconds(wait - 0.01))
      #expect(try await work(dispatcher) == 0, "not before it is due")
      clock.advance(by: .seconds(0.02))
    }
    #expect(try await work(dispatcher) == 1)
    #expect(try await newest().state == .failed)
    clock.advance(by: .seconds(1_000_000))
    #expect(try await work(dispatcher) == 0)
    let posted = carrier.posted.withLock { $0 }
    #expect(posted.count == 10 && Set(posted.map(\.body)).count == 1)
    #expect(Set(posted.map { $0.headers.first { $0.name == "webhook-id" }?.value }).count == 1)
    let times = posted.map { $0.headers.first { $0.name == "webhook-timestamp" }?.value }
    #expect(Set(times).count == 10, "each attempt has its own timestamp")
    #expect(meter.read().webhooks == [.retried: 9, .failed: 1])
  }

  @Test func `a requested retry delay is respected up to a limit`() async throws {
    try await decide()
    let date = UnixTime(milliseconds: clock.timeOfDay().milliseconds + 5_000_000)
    let carrier = ScriptedCarrier([
      .status(429, retryAfter: .interval(.seconds(600))), .status(503, retryAfter: .until(date)),
      .status(503, retryAfter: .interval(.seconds(1e9))), .status(200, retryAfter: nil),
    ])
    let dispatcher = dispatcher(carrier)
    for wait in [600, 4400, 86_400] as [Int64] {
      let began = clock.timeOfDay()
      #expect(try await work(dispatcher) == 1)
      #expect(try await newest().next.milliseconds - began.milliseconds == wait * 1000)
      clock.advance(by: .seconds(Double(wait)))
    }
    #expect(try await work(dispatcher) == 1)
    #expect(try await newest().state == .delivered)
  }

  @Test func `the status 410 disables the webhook`() async throws {
    try await decide("chk_1")
    try await decide("chk_2")
    let dispatcher = dispatcher(ScriptedCarrier([.status(410, retryAfter: nil)]))
    #expect(try await work(dispatcher) == 1)
    #expect(try await service.list().first?.disabled == clock.timeOfDay())
    #expect(try await service.deliveries(of: webhook).map(\.state) == [.failed, .failed])
    try await decide("chk_3")
    #expect(try await service.deliveries(of: webhook).count == 2, "no further deliveries are created")
    #expect(try await work(dispatcher) == 0)
    let refused = await #expect(throws: ServiceError.self) { _ = try await service.ping(webhook) }
    #expect(refused?.code == .badValue)
    #expect(meter.read().webhooks == [.gone: 1])
  }

  @Test func `the claimed deliveries of a killed dispatcher become due again`() async throws {
    try await decide()
    let dead = dispatcher(ScriptedCarrier([.status(200, retryAfter: nil)]))
    #expect(try await dead.take().count == 1)
    let carrier = ScriptedCarrier([.status(200, retryAfter: nil)])
    let other = dispatcher(carrier)
    #expect(try await work(other) == 0, "the delivery is claimed by the other dispatcher")
    clock.advance(by: WebhookSettings().lease)
    #expect(try await work(other) == 1)
    #expect(try await newest().state == .delivered)
    #expect(try await newest().attempts == 2)
  }

  @Test func `an erased check is not reported, even if its delivery was already claimed`() async throws {
    try await decide()
    let carrier = ScriptedCarrier([.status(200, retryAfter: nil)])
    let dispatcher = dispatcher(carrier)
    let delivery = try #require(try await dispatcher.take().first)
    _ = try await store.delete(try #require(CheckID("chk_1")))
    try await dispatcher.deliver(delivery)
    #expect(carrier.posted.withLock { $0 }.isEmpty)
    #expect(try await service.deliveries(of: webhook) == [])
  }

  @Test func `nothing is posted unsigned if the secret cannot be decrypted`() async throws {
    try await decide()
    let carrier = ScriptedCarrier([.status(200, retryAfter: nil)])
    #expect(try await work(dispatcher(carrier, keyring: MasterKeyring(key: [UInt8](repeating: 2, count: 32)))) == 1)
    #expect(carrier.posted.withLock { $0 }.isEmpty)
    #expect(try await newest().answer == "secret-unreadable")
    #expect(try await newest().state == .pending)
  }

  @Test func `a dispatcher finishes its deliveries in progress before it stops`() async throws {
    try await decide()
    let carrier = ScriptedCarrier([.status(200, retryAfter: nil)])
    let turns = Mutex(3)
    await dispatcher(carrier).run {
      turns.withLock { left in
        left -= 1
        return left > 0
      }
    } trouble: {
      Issue.record($0)
    }
    #expect(carrier.posted.withLock { $0.count } == 1)
    #expect(try await newest().state == .delivered)
  }

  @Test func `a backlog is delivered without a pause`() async throws {
    for number in 0..<20 { try await decide("chk_\(number)") }
    let carrier = ScriptedCarrier([.status(200, retryAfter: nil)])
    let looks = Mutex(0)
    await dispatcher(carrier).run {
      guard
        looks.withLock({
          $0 += 1; return $0
        }) > 1
      else { return true }
      // A backlog left for the next pass would not be sent during this wait.
      try? await eventually { carrier.posted.withLock { $0.count } == 20 }
      return false
    } trouble: {
      Issue.record($0)
    }
    #expect(carrier.posted.withLock { $0.count } == 20)
    #expect(looks.withLock { $0 } == 2)
  }

  @Test func `old deliveries are deleted`() async throws {
    try await decide()
    let dispatcher = dispatcher(ScriptedCarrier([.status(200, retryAfter: nil)]))
    #expect(try await work(dispatcher) == 1)
    clock.advance(by: WebhookSettings().history)
    _ = try await dispatcher.take()
    #expect(try await service.deliveries(of: webhook).count == 1)
    clock.advance(by: .seconds(3601))
    _ = try await dispatcher.take()
    #expect(try await service.deliveries(of: webhook).isEmpty)
  }

  @Test func `webhooks are created, changed and deleted, and invalid ones are rejected with a reason`() async throws {
    #expect(secret.hasPrefix("whsec_") && Data(base64Encoded: String(secret.dropFirst(6)))?.count == 32)
    let (changed, another) = try await service.rotateSecret(of: webhook)
    #expect(another != secret && another.hasPrefix("whsec_"))
    #expect(changed.previous?.until == clock.timeOfDay().adding(.seconds(86_400)))
    for events in [[], [.ping], [.checkPassed, .ping]] as [[WebhookEvent]] {
      let refused = await #expect(throws: ServiceError.self) {
        _ = try await service.add(url: "https://a.example/", events: events)
      }
      #expect(refused?.code == .badValue)
    }
    for _ in 0..<15 { _ = try await service.add(url: "https://a.example/", events: [.checkPassed]) }
    let full = await #expect(throws: ServiceError.self) {
      _ = try await service.add(url: "https://a.example/", events: nil)
    }
    #expect(full?.code == .badValue)
    try await service.remove(webhook)
    for attempt in 0..<4 {
      let missing = await #expect(throws: ServiceError.self) {
        switch attempt {
        case 0: try await service.remove(webhook)
        case 1: _ = try await service.rotateSecret(of: webhook)
        case 2: _ = try await service.ping(webhook)
        default: _ = try await service.deliveries(of: webhook)
        }
      }
      #expect(missing?.code == .notFound)
    }
  }
}
