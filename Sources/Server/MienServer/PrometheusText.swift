internal import MienCore
internal import MienPlatform

/// Renders the service's counters in Prometheus' text exposition format 0.0.4.
enum PrometheusText {
  static func render(_ reading: ServiceMetrics.Reading) -> String {
    var lines: [String] = []
    func family(_ name: String, _ kind: String, _ help: String) {
      lines.append("# HELP \(name) \(help)")
      lines.append("# TYPE \(name) \(kind)")
    }
    family("mien_checks_created_total", "counter", "Liveness checks created.")
    lines.append("mien_checks_created_total \(reading.checksCreated)")
    family("mien_checks_decided_total", "counter", "Liveness checks decided, by outcome and reason.")
    for (outcome, reasons) in reading.checksDecided.sorted(by: { $0.key < $1.key }) {
      for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) {
        lines.append("mien_checks_decided_total{outcome=\"\(outcome)\",reason=\"\(reason)\"} \(count)")
      }
    }
    family("mien_frames_total", "counter", "Frames received, by result.")
    for (result, count) in reading.frames.sorted(by: { $0.key < $1.key }) {
      lines.append("mien_frames_total{result=\"\(result)\"} \(count)")
    }
    family("mien_webhook_attempts_total", "counter", "Attempts to deliver webhook messages, by outcome.")
    for (outcome, count) in reading.webhooks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append("mien_webhook_attempts_total{outcome=\"\(outcome.rawValue)\"} \(count)")
    }
    family("mien_checks_in_progress", "gauge", "Checks in progress in this process.")
    for (realm, count) in reading.liveChecks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append("mien_checks_in_progress{realm=\"\(realm.rawValue)\"} \(count)")
    }
    family("mien_performances_total", "counter", "Completed performances of messages, by outcome.")
    for (end, count) in reading.performances.sorted(by: { $0.key < $1.key }) {
      lines.append("mien_performances_total{outcome=\"\(end)\"} \(count)")
    }
    family("mien_performances_in_progress", "gauge", "Performances of messages in progress in this process.")
    for (realm, count) in reading.livePerformances.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      lines.append("mien_performances_in_progress{realm=\"\(realm.rawValue)\"} \(count)")
    }
    family("mien_frame_duration_seconds", "histogram", "Time from receiving a frame to its response.")
    var sum = 0
    for (bound, count) in zip(ServiceMetrics.latencyBounds, reading.frameLatency) {
      sum += count
      lines.append("mien_frame_duration_seconds_bucket{le=\"\(bound)\"} \(sum)")
    }
    sum += reading.frameLatency[ServiceMetrics.latencyBounds.count]
    lines.append("mien_frame_duration_seconds_bucket{le=\"+Inf\"} \(sum)")
    lines.append("mien_frame_duration_seconds_sum \(reading.frameLatencySum)")
    lines.append("mien_frame_duration_seconds_count \(sum)")
    return lines.joined(separator: "\n") + "\n"
  }
}
