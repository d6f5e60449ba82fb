internal import Synchronization
internal import Tracing

/// An active span, which is added to a buffer when it ends. Events and links are discarded, because this program
/// creates none.
final class OTLPSpan: Tracing.Span {
  private struct State {
    var name: String
    var attributes = SpanAttributes()
    var hasFailed = false
    var isOver = false
  }

  let context: InstrumentationContext
  private let place: TraceContext
  private let parent: TraceContext?
  private let kind: SpanKind
  private let start: UInt64
  /// `nil` if the span is not sampled.
  private let queue: SpanBuffer?
  private let state: Mutex<State>

  /// - Parameters:
  ///   - context: context that includes the span itself.
  ///   - start: time in nanoseconds since 1970.
  init(
    _ name: String, kind: SpanKind, context: InstrumentationContext, place: TraceContext, parent: TraceContext?,
    start: UInt64, queue: SpanBuffer?
  ) {
    self.context = context
    self.place = place
    self.parent = parent
    self.kind = kind
    self.start = start
    self.queue = queue
    state = Mutex(State(name: name))
  }

  var isRecording: Bool { queue != nil && !state.withLock { $0.isOver } }

  var operationName: String {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }

  var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }

  func setStatus(_ status: SpanStatus) { state.withLock { $0.hasFailed = status.code == .error } }

  func addEvent(_: SpanEvent) {}

  func addLink(_: SpanLink) {}

  /// Records only the error's type: its text may contain personal data.
  func recordError<Moment: TracerInstant>(
    _ error: any Error, attributes _: SpanAttributes, at _: @autoclosure () -> Moment
  ) {
    state.withLock { $0.attributes.set("error.type", value: .string("\(type(of: error))")) }
  }

  func end<Moment: TracerInstant>(at moment: @autoclosure () -> Moment) {
    guard let queue else { return }
    let end = moment().nanosecondsSinceEpoch
    let state = state.withLock { state -> State? in
      guard !state.isOver else { return nil }
      state.isOver = true
      return state
    }
    guard let state else { return }
    queue.add(
      FinishedSpan(
        name: state.name, kind: kind, place: place, parent: parent, start: start, end: max(start, end),
        attributes: state.attributes, hasFailed: state.hasFailed))
  }
}

/// A finished span.
struct FinishedSpan: Sendable {
  let name: String
  let kind: SpanKind
  let place: TraceContext
  let parent: TraceContext?
  /// Start time in nanoseconds since 1970.
  let start: UInt64
  /// End time in nanoseconds since 1970, never before the start.
  let end: UInt64
  let attributes: SpanAttributes
  let hasFailed: Bool
}
