internal import Synchronization

/// Writes down the phases of the work on a scan, one after the other.
final class ScanPhaseTracer: Sendable {
  private let traces: TracingContext
  private let current = Mutex<(phase: ScanRecord.Progress.Phase, span: ActiveSpan?)?>(nil)

  init(_ traces: TracingContext) { self.traces = traces }

  /// Another phase ends the one before; the same again goes on with it.
  func enter(_ phase: ScanRecord.Progress.Phase) {
    guard traces.isOn else { return }
    current.withLock { current in
      guard current?.phase != phase else { return }
      current?.span?.end()
      current = (phase: phase, span: traces.beginPart(SpanName("scan", phase), isCounted: false))
    }
  }

  /// Ends the phase that is under way, if there is one.
  func leave(_ ending: SpanOutcome = .done) { current.withLock { $0.take() }?.span?.end(ending) }
}
