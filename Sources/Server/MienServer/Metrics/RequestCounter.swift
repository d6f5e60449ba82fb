internal import HTTPTypes
internal import Synchronization

/// Counts requests by method, route and status class. The label sets are closed: routes are the registered patterns,
/// never a path sent by a client.
final class RequestCounter: Sendable {
  struct Kind: Hashable, Comparable {
    let method: String
    /// Route pattern such as `/v1/checks/:id`; `none` if no route matched.
    let route: String
    /// `2xx`, `4xx`, …
    let status: String

    static func < (left: Kind, right: Kind) -> Bool {
      (left.route, left.method, left.status) < (right.route, right.method, right.status)
    }
  }

  struct Reading {
    var requests: [Kind: Int] = [:]
    var inFlight = 0
    /// One count per bound and one above the last bound; not cumulative.
    var latency = [Int](repeating: 0, count: RequestCounter.bounds.count + 1)
    var latencySum = 0.0
  }

  /// Upper bounds of the latency buckets in seconds.
  static let bounds: [Double] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
  private static let classes = (0..<10).map { "\($0)xx" }

  private let state = Mutex(Reading())

  func begin() { state.withLock { $0.inFlight += 1 } }

  func end(_ method: HTTPRequest.Method, route: String?, status: Int, took: Duration) {
    let name = method.rawValue
    let kind = Kind(
      method: Self.methods.contains(name) ? name : "other", route: route ?? "none",
      status: Self.classes[status / 100 % 10])
    let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18
    let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.inFlight -= 1
      state.requests[kind, default: 0] += 1
      state.latency[bucket] += 1
      state.latencySum += seconds
    }
  }

  func read() -> Reading { state.withLock { $0 } }
}

/// Renders request metrics in Prometheus' text exposition format 0.0.4.
enum RequestMetrics {
  /// - Parameter waiting: number of captures and files that are queued or being analyzed; `nil` if captures are not
  ///   served.
  static func render(_ reading: RequestCounter.Reading, waiting: Int?) -> String {
    var lines = [
      "# HELP mien_http_requests_total HTTP requests, by method, route and status class.",
      "# TYPE mien_http_requests_total counter",
    ]
    for (kind, count) in reading.requests.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "mien_http_requests_total{method=\"\(kind.method)\",route=\"\(kind.route)\",status=\"\(kind.status)\"} \(count)"
      )
    }
    lines += [
      "# HELP mien_http_requests_in_flight HTTP requests in progress.",
      "# TYPE mien_http_requests_in_flight gauge", "mien_http_requests_in_flight \(reading.inFlight)",
      "# HELP mien_http_request_duration_seconds Time from receiving a request head to its response.",
      "# TYPE mien_http_request_duration_seconds histogram",
    ]
    var sum = 0
    for (bound, count) in zip(RequestCounter.bounds, reading.latency) {
      sum += count
      lines.append("mien_http_request_duration_seconds_bucket{le=\"\(bound)\"} \(sum)")
    }
    sum += reading.latency[RequestCounter.bounds.count]
    lines += [
      "mien_http_request_duration_seconds_bucket{le=\"+Inf\"} \(sum)",
      "mien_http_request_duration_seconds_sum \(reading.latencySum)",
      "mien_http_request_duration_seconds_count \(sum)",
    ]
    if let waiting {
      lines += [
        "# HELP mien_analyses_waiting Captures and files that are being analyzed or are waiting for analysis.",
        "# TYPE mien_analyses_waiting gauge", "mien_analyses_waiting \(waiting)",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
