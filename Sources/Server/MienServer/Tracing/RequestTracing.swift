internal import HTTPTypes
internal import Hummingbird
internal import MienPlatform

/// Traces requests by method, route and status, according to OpenTelemetry's conventions, without path, query, address
/// or body. The value sets are as closed as those of ``RequestCounter``.
struct RequestTracing: Sendable {
  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  let traces: TracingContext
  let isSecure: Bool

  /// Starts a span, or returns `nil` if the request is not traced.
  func begin(_ request: Request) -> ActiveSpan? {
    // Attributes are computed only if tracing is on.
    guard traces.isOn else { return nil }
    return traces.begin(
      SpanName(method: Self.method(request.method), route: nil), .server, facts(request.method),
      for: Self.headers(request))
  }

  func end(_ span: ActiveSpan, _ method: HTTPRequest.Method, route: String?, status: Int) {
    span.rename(Self.name(method, route))
    span.note(Self.facts(route, status))
    span.end(Self.ending(status))
  }

  /// Records the span of a request that was already answered.
  func write(_ request: Request, route: String, status: Int, ended: UnixTime, after took: Duration) {
    guard traces.isOn else { return }
    traces.write(
      Self.name(request.method, route), .server, facts(request.method) + Self.facts(route, status), ended: ended,
      after: took, Self.ending(status), for: Self.headers(request))
  }

  private func facts(_ method: HTTPRequest.Method) -> [SafeSpanAttribute] {
    let name = Self.method(method)
    return [.method(name == "HTTP" ? "_OTHER" : name), .scheme(isSecure: isSecure)]
  }

  private static func facts(_ route: String?, _ status: Int) -> [SafeSpanAttribute] {
    let status = SafeSpanAttribute.status(status)
    return route.map { [.route($0), status] } ?? [status]
  }

  /// A rejected request is not a server failure.
  private static func ending(_ status: Int) -> SpanOutcome { status >= 500 ? .status(status) : .done }

  private static func name(_ method: HTTPRequest.Method, _ route: String?) -> SpanName {
    SpanName(method: Self.method(method), route: route)
  }

  /// Returns the method, or `HTTP` for an unknown one.
  private static func method(_ method: HTTPRequest.Method) -> String {
    methods.contains(method.rawValue) ? method.rawValue : "HTTP"
  }

  private static func headers(_ request: Request) -> TraceHeaders {
    let fields = request.headers
    return TraceHeaders { name in HTTPField.Name(name).flatMap { fields[$0] } }
  }
}
