internal import MienPlatform
internal import Synchronization

/// Traces the consecutive phases of scan processing as spans.
final class ScanPhaseTracer: Sendable {
  private let traces: TracingContext
  private let current = Mutex<(phase: ScanRecord.Progress.Phase, span: ActiveSpan?)?>(nil)

  init(_ traces: TracingContext) { self.traces = traces }

  /// Starts a phase and ends the previous one; the same phase continues.
  func enter(_ phase: ScanRecord.Progress.Phase) {
    guard traces.isOn else { return }
    current.withLock { current in
      guard current?.phase != phase else { return }
      current?.span?.end()
      current = (phase: phase, span: traces.beginPart(SpanName("scan", phase), isCounted: false))
    }
  }

  /// Ends the current phase, if there is one.
  func leave(_ ending: SpanOutcome = .done) { current.withLock { $0.take() }?.span?.end(ending) }
}
