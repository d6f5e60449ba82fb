/// Renders request metrics in Prometheus' text exposition format 0.0.4.
enum RequestMetrics {
  /// - Parameter waiting: number of captures and files that are queued or being analyzed; `nil` if captures are not
  ///   served.
  static func render(_ reading: RequestCounter.Reading, waiting: Int?) -> String {
    var lines = [
      "# HELP mien_http_requests_total Requests answered, by method, route and class of status.",
      "# TYPE mien_http_requests_total counter",
    ]
    for (kind, count) in reading.requests.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "mien_http_requests_total{method=\"\(kind.method)\",route=\"\(kind.route)\",status=\"\(kind.status)\"} \(count)"
      )
    }
    lines += [
      "# HELP mien_http_requests_in_flight Requests that are being answered.",
      "# TYPE mien_http_requests_in_flight gauge", "mien_http_requests_in_flight \(reading.inFlight)",
      "# HELP mien_http_request_seconds From a request's head to its reply.",
      "# TYPE mien_http_request_seconds histogram",
    ]
    var sum = 0
    for (bound, count) in zip(RequestCounter.bounds, reading.latency) {
      sum += count
      lines.append("mien_http_request_seconds_bucket{le=\"\(bound)\"} \(sum)")
    }
    sum += reading.latency[RequestCounter.bounds.count]
    lines += [
      "mien_http_request_seconds_bucket{le=\"+Inf\"} \(sum)", "mien_http_request_seconds_sum \(reading.latencySum)",
      "mien_http_request_seconds_count \(sum)",
    ]
    if let waiting {
      lines += [
        "# HELP mien_analyses_waiting Captures and files that are analysed or wait for it.",
        "# TYPE mien_analyses_waiting gauge", "mien_analyses_waiting \(waiting)",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
