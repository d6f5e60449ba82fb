import MienTestGenerators
import Foundation
import InMemoryTracing
import MienBlobs
import MienCore
import MienStore
import MienTestSupport
import Testing
import Tracing

@testable import MienChecks
@testable import MienPlatform
@testable import MienScanService
@testable import MienSecurity
@testable import MienWebhooks

@Suite struct `Tracing of jobs` {
  private let tracer = InMemoryTracer()
  private var traces: TracingContext { TracingContext(tracer) }
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-traces-\(UUID())").path

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  private func spans(_ name: String) -> [FinishedInMemorySpan] {
    tracer.finishedSpans.filter { $0.operationName == name }
  }

  private func facts(_ span: FinishedInMemorySpan) -> [String: SpanAttribute] {
    var facts: [String: SpanAttribute] = [:]
    span.attributes.forEach { facts[$0] = $1 }
    return facts
  }

  private struct Trouble: Error, CustomStringConvertible {
    var description: String { "Ada Lovelace could not be found" }
  }

  // MARK: - Jobs and dependencies

  @Test func `a child span belongs to its job and is not recorded without one`() async throws {
    let traces = traces
    traces.beginPart("alone")?.end()
    try await traces.job("job", .internal, [.bytes(7)]) {
      traces.beginPart("part", .client)?.end()
      await Task { _ = traces.beginPart("task")?.end() }.value
    }
    traces.beginPart("after")?.end()
    #expect(Set(tracer.finishedSpans.map(\.operationName)) == ["job", "part", "task"])
    let job = try #require(spans("job").first)
    #expect(job.parentSpanID == nil && job.kind == .internal && facts(job) == ["mien.bytes": .int64(7)])
    let part = try #require(spans("part").first)
    #expect(part.parentSpanID == job.spanID && part.traceID == job.traceID && part.kind == .client)
    #expect(spans("task").first?.parentSpanID == job.spanID)
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func `work runs normally with tracing disabled`() async throws {
    let value = try await TracingContext.off.job("job") { () async throws -> Int? in
      TracingContext.off.beginPart("part") == nil ? 7 : nil
    }
    #expect(value == 7 && !TracingContext.off.isOn && TracingContext.off.begin("job") == nil)
  }

  @Test func `errors are recorded by type only`() async throws {
    await #expect(throws: Trouble.self) {
      try await traces.job("job") { () async throws -> Void in throw Trouble() }
    }
    let job = try #require(spans("job").first)
    #expect(facts(job) == ["error.type": "Trouble"] && job.status?.code == .error)
    #expect(job.errors.isEmpty && job.events.isEmpty)
    let refused = ServiceError(.busy, "Ada Lovelace is busy.")
    traces.begin("refused")?.end(.failed(refused))
    let told = try #require(spans("refused").first)
    #expect(facts(told) == ["error.type": .string(refused.code.text)])
  }

  @Test func `child spans beyond the limit are counted and phases are always recorded`() async throws {
    try await traces.job("job") {
      for _ in 0..<TracingContext.mostParts + 3 { traces.beginPart("part")?.end() }
      traces.beginPart("phase", isCounted: false)?.end()
    }
    #expect(spans("part").count == TracingContext.mostParts && spans("phase").count == 1)
    let job = try #require(spans("job").first)
    #expect(facts(job) == ["mien.parts_left_out": .int64(3)])
  }

  @Test func `a job continues the trace of its request up to a length limit`() throws {
    let given = ["in-memory-trace-id": "trace-7", "in-memory-span-id": "span-8"]
    traces.begin("named", .server, for: TraceHeaders { given[$0] })?.end()
    let named = try #require(spans("named").first)
    #expect(named.traceID == "trace-7" && named.parentSpanID == "span-8" && named.kind == .server)
    for (bytes, isTaken) in [(TraceHeaders.mostBytes, true), (TraceHeaders.mostBytes + 1, false)] {
      let text = String(repeating: "7", count: bytes)
      traces.begin("long", .server, for: TraceHeaders { _ in text })?.end()
      #expect((spans("long").last?.traceID == text) == isTaken)
    }
  }

  @Test func `a finished job is recorded with its times`() throws {
    traces.write(
      "over", .server, [.status(503)], ended: UnixTime(milliseconds: 5000), after: .microseconds(250), .status(503))
    let over = try #require(spans("over").first)
    #expect(over.startInstant.nanosecondsSinceEpoch == 4_999_750_000)
    #expect(over.endInstant.nanosecondsSinceEpoch == 5_000_000_000)
    #expect(facts(over) == ["http.response.status_code": .int64(503), "error.type": "503"])
  }

  @Test func `the phases of a scan are consecutive`() async throws {
    try await traces.job("scan.work") {
      let phases = ScanPhaseTracer(traces)
      for phase in [.reading, .reading, .fusing, .reading] as [ScanRecord.Progress.Phase] { phases.enter(phase) }
      #expect(tracer.activeSpans.map(\.operationName).sorted() == ["scan.reading", "scan.work"])
      phases.leave(.failed(ScanProcessingError(code: "damaged", detail: "Ada Lovelace")))
    }
    #expect(
      tracer.finishedSpans.map(\.operationName) == ["scan.reading", "scan.fusing", "scan.reading", "scan.work"])
    #expect(spans("scan.reading").map { facts($0) } == [[:], ["error.type": "ScanProcessingError"]])
  }

  // MARK: - Stores

  @Test func `database spans have the operation name and no data`() async throws {
    let store = try SQLiteStore(path: folder + "/mien.sqlite", times: OperationTimings(traces: traces))
    let check = try sampleCheck("chk_ada")
    try await store.create(check)
    #expect(tracer.finishedSpans.isEmpty, "work without a server is not recorded")
    let other = try sampleCheck("chk_lovelace")
    try await traces.job("job") {
      try await store.create(other)
      _ = try await store.check(other.id)
      await #expect(throws: StoreError.self) { try await store.create(other) }
      #expect(try await !store.delete(other.id).isEmpty)
    }
    let job = try #require(spans("job").first)
    let parts = tracer.finishedSpans.filter { $0.operationName != "job" }
    #expect(
      Set(parts.map(\.operationName)).isSuperset(of: ["CheckStore.create", "CheckStore.check", "Erasure.delete"]))
    #expect(parts.allSatisfy { $0.parentSpanID == job.spanID && $0.kind == .client })
    #expect(parts.allSatisfy { facts($0)["db.system.name"] == "sqlite" })
    #expect(parts.allSatisfy { facts($0)["db.operation.name"] == .string($0.operationName) })
    #expect(spans("CheckStore.create").map { facts($0)["error.type"] } == [nil, "DatabaseError"])
    let read = try #require(spans("CheckStore.check").first)
    #expect(facts(read)["mien.database.access"] == "read")
    #expect(!"\(parts.map { facts($0) })".contains("lovelace"))
  }

  @Test func `file reads and writes are child spans with their sizes`() async throws {
    let blobs = InstrumentedBlobStore(
      try FileBlobStore(folder + "/blobs"), .disk, times: OperationTimings(traces: traces))
    let id = try #require(BlobID("ada"))
    try await traces.job("job") {
      let writer = try await blobs.begin(id)
      try await writer.write([1, 2, 3])
      try await writer.write([4])
      _ = try await writer.commit()
      let unwanted = try await blobs.begin(try #require(BlobID("lovelace")))
      await unwanted.discard()
      #expect(try await blobs.read(id, 1..<3) == [2, 3])
      #expect(try await blobs.delete(id))
    }
    #expect(
      spans("blob.put").map { facts($0) } == [
        ["mien.blob.store": "disk", "mien.blob.operation": "put", "mien.bytes": .int64(4)],
        ["mien.blob.store": "disk", "mien.blob.operation": "put", "error.type": "Discarded"],
      ])
    #expect(
      spans("blob.get").map { facts($0) } == [
        ["mien.blob.store": "disk", "mien.blob.operation": "get", "mien.bytes": .int64(2)]
      ])
    #expect(spans("blob.delete").count == 1)
  }

  // MARK: - Webhooks

  private struct Carrier: WebhookTransport {
    let answer: DeliveryResult
    func post(_: WebhookRequest) async -> DeliveryResult { answer }
  }

  private static let answers: [(DeliveryResult, [String: SpanAttribute])] = [
    (.status(204, retryAfter: nil), ["http.response.status_code": .int64(204)]),
    (.status(500, retryAfter: nil), ["http.response.status_code": .int64(500), "error.type": "500"]),
    (.failed(.noConnection), ["error.type": "no-connection"]),
  ]

  @Test(arguments: answers) func `webhook delivery spans record the outcome and not the target`(
    answer: DeliveryResult, told: [String: SpanAttribute]
  ) async throws {
    let times = OperationTimings(traces: traces)
    let store = try SQLiteStore(path: folder + "/mien.sqlite", times: times)
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
    let meter = ServiceMetrics(times: times)
    let service = WebhookService(
      store: store, keyring: keyring, clock: ManualClock(), generator: SplitMixGenerator(seed: 1))
    _ = try await service.add(url: "https://ada.example/lovelace", events: nil)
    let check = try sampleCheck()
    try await store.create(check)
    try await store.decide(check.id, try sampleResult())
    let dispatcher = WebhookDispatcher(
      store: store, keyring: keyring, carrier: Carrier(answer: answer), clock: ManualClock(), meter: meter,
      generator: SplitMixGenerator(seed: 2), payloads: FixedPayload())
    for parcel in try await dispatcher.take() { try await dispatcher.deliver(parcel) }
    let job = try #require(spans("webhook.deliver").first)
    #expect(facts(job) == ["mien.attempt": .int64(1)] && job.status == nil)
    let post = try #require(spans("webhook.post").first)
    #expect(post.parentSpanID == job.spanID)
    #expect(facts(post) == told.merging(["http.request.method": "POST", "mien.bytes": .int64(3)]) { $1 })
    #expect(spans("WebhookStore.settle").allSatisfy { $0.parentSpanID == job.spanID })
    #expect(!"\(tracer.finishedSpans.map { facts($0) })".contains("lovelace"))
  }
}

private struct FixedPayload: WebhookPayloadSource {
  func body(of _: WebhookDelivery) async throws -> [UInt8]? { [1, 2, 3] }
}
