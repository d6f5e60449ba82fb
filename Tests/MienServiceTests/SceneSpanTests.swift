import InMemoryTracing
import MienAuthenticity
import MienImaging
import MienModel
import MienService
import MienTestSupport
import Testing
import Tracing

@Suite struct `Spans of an analysis` {
  /// A process has one tracer; other suites leave spans in it, too.
  private static let tracer: InMemoryTracer = {
    let tracer = InMemoryTracer()
    InstrumentationSystem.bootstrap(tracer)
    return tracer
  }()

  @Test func `name each group of checks, and carry nothing of what is looked at`() async {
    let tracer = Self.tracer
    let desk = SceneDesk(clock: ManualClock(), places: 1, maximumWaiting: 1)
    _ = await desk.results(of: SceneCapture(picture: PlanarPicture()))
    let spans = tracer.finishedSpans.filter { $0.operationName.hasPrefix("capture.check.") }
    let names = Set(spans.map(\.operationName))
    #expect(
      names.isSuperset(of: ["moire", "texture", "artifacts", "depth", "burst"].map { "capture.check.\($0)" }))
    #expect(spans.allSatisfy { $0.attributes.isEmpty && $0.events.isEmpty })
  }
}
