/// Renders trace export counts in Prometheus' text exposition format 0.0.4.
enum TraceMetrics {
  /// - Parameter counts: export counts, or `nil` if tracing is off.
  static func render(_ counts: SpanBuffer.Counts?) -> String {
    guard let counts else { return "" }
    return """
      # HELP mien_spans_total Spans of traces: sent to the collector, or dropped because it did not take them in time.
      # TYPE mien_spans_total counter
      mien_spans_total{outcome="sent"} \(counts.sent)
      mien_spans_total{outcome="dropped"} \(counts.dropped)

      """
  }
}
