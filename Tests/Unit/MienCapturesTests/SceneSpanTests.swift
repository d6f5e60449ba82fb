import InMemoryTracing
import MienAuthenticity
import MienImaging
import MienCore
import MienPlatform
import MienCaptures
import MienTestSupport
import Testing
import Tracing

@Suite struct `Analysis tracing spans` {
  @Test func `spans name each group of checks and contain no image data`() async throws {
    let tracer = InMemoryTracer()
    let traces = TracingContext(tracer)
    let scheduler = AnalysisScheduler(clock: ManualClock(), places: 1, maximumWaiting: 1, traces: traces)
    try await traces.job("capture.analysis") { _ = await scheduler.results(of: CaptureInput(image: YCbCrImage())) }
    let spans = tracer.finishedSpans.filter { $0.operationName.hasPrefix("capture.check.") }
    let names = Set(spans.map(\.operationName))
    #expect(
      names.isSuperset(of: ["moire", "texture", "artifacts", "depth", "burst"].map { "capture.check.\($0)" }))
    #expect(spans.allSatisfy { $0.attributes.isEmpty && $0.events.isEmpty })
    let job = try #require(tracer.finishedSpans.first { $0.operationName == "capture.analysis" })
    #expect(spans.allSatisfy { $0.parentSpanID == job.spanID })
  }
}
