import MienTestGenerators
import MienPlatform
import MienTestSupport
import Testing
import Tracing

@testable import MienServer

@Suite struct `Traceparent header` {
  private static let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

  @Test func `trace and span IDs are parsed and written back identically`() throws {
    let parsed = try #require(TraceContext(traceparent: Self.good))
    #expect(parsed.trace.text == "4bf92f3577b34da6a3ce929d0e0e4736" && parsed.isSampled && parsed.isRemote)
    #expect(parsed.trace.first == 0x4bf9_2f35_77b3_4da6 && parsed.span == 0x00f0_67aa_0ba9_02b7)
    #expect(parsed.traceparent == Self.good)
    #expect(TraceContext(traceparent: Self.good.replacing("-01", with: "-00"))?.isSampled == false)
    #expect(TraceContext(traceparent: Self.good.replacing("-01", with: "-fe"))?.isSampled == false)
    #expect(TraceContext(traceparent: Self.good.replacing("-01", with: "-ff"))?.isSampled == true)
  }

  @Test func `a later version is parsed as the current one`() {
    let later = "cc\(Self.good.dropFirst(2))"
    #expect(TraceContext(traceparent: later)?.traceparent == Self.good)
    #expect(TraceContext(traceparent: later + "-what-will-be")?.traceparent == Self.good)
    #expect(TraceContext(traceparent: later + ".what-will-be") == nil)
  }

  @Test(arguments: [
    "", "00", String(repeating: "0", count: 55), String(repeating: "-", count: 55),
    "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
    "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-011",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
    "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
    "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
    " 0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "00-ébf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01, 00",
  ]) func `an invalid header is ignored`(text: String) {
    #expect(TraceContext(traceparent: text) == nil)
  }

  // MARK: - Recorded spans

  private let queue = SpanBuffer(capacity: 10)

  private func traces(oneIn: Int = 1) -> TracingContext {
    TracingContext(OTLPTracer(queue, oneIn: oneIn, generator: SplitMixGenerator(seed: 7)))
  }

  private func headers(_ text: String) -> TraceHeaders { TraceHeaders { $0 == "traceparent" ? text : nil } }

  @Test func `a request continues the trace of its header`() async throws {
    let job = try #require(traces().begin("job", .server, for: headers(Self.good)))
    try await job.within { _ = traces().beginPart("part")?.end() }
    job.end()
    let spans = queue.take(atMost: 10)
    #expect(spans.map(\.name) == ["part", "job"])
    #expect(spans.allSatisfy { $0.place.trace.text == "4bf92f3577b34da6a3ce929d0e0e4736" })
    #expect(spans[1].parent?.span == 0x00f0_67aa_0ba9_02b7 && spans[1].parent?.isRemote == true)
    #expect(spans[0].parent?.span == spans[1].place.span && spans[0].parent?.isRemote == false)
    #expect(spans.allSatisfy { $0.end >= $0.start })
  }

  @Test func `sampling follows the header, otherwise requests are sampled and other work always is`() {
    let unwanted = Self.good.replacing("-01", with: "-00")
    #expect(traces().begin("job", .server, for: headers(unwanted)) == nil)
    let some = traces(oneIn: 1000)
    #expect(some.begin("job", .server, for: headers(Self.good)) != nil)
    let chosen = (0..<20_000).count(where: { _ in some.begin("job", .server) != nil })
    #expect((5...50).contains(chosen))
    #expect((0..<100).allSatisfy { _ in some.begin("job") != nil })
    #expect(queue.take(atMost: 10).isEmpty, "no span has ended")
  }

  @Test func `the trace context is propagated`() throws {
    let recorder = OTLPTracer(queue, oneIn: 1, generator: SplitMixGenerator(seed: 7))
    let span = recorder.startSpan("job", context: .topLevel)
    var carried: [String: String] = [:]
    recorder.inject(span.context, into: &carried, using: DictionaryInjector())
    let text = try #require(carried["traceparent"])
    #expect(TraceContext(traceparent: text)?.isSampled == true && carried.count == 1)
  }

  private struct DictionaryInjector: Injector {
    func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) { carrier[key] = value }
  }

  @Test func `a span ends once and records no error messages`() throws {
    struct SampleError: Error { let who = "Ada Lovelace" }
    let recorder = OTLPTracer(queue, oneIn: 1, generator: SplitMixGenerator(seed: 7))
    let span = recorder.startSpan("job", context: .topLevel)
    span.recordError(SampleError())
    span.end()
    span.end()
    let spans = queue.take(atMost: 10)
    #expect(spans.count == 1 && !span.isRecording)
    #expect(spans[0].attributes.get("error.type") == "SampleError" && spans[0].attributes.count == 1)
  }
}
