internal import Hummingbird
internal import Logging
internal import MienPages
internal import MienPlatform
internal import MienAccess

/// Processes every request: assigns an ID, applies limits, enforces the policy of the route, converts errors and adds
/// headers.
struct RequestPipeline: Sendable {
  let observability: RequestObservability
  let headers: SecurityHeaders
  let admission: RequestAdmission
  private let realms: Realms
  private let crossOrigin: CrossOriginPolicy
  private let compression = ResponseCompression()

  init(realms: Realms, settings: ServerSettings, meter: RequestCounter, logger: Logger) {
    self.realms = realms
    let spans = RequestTracing(traces: realms.metrics.times.traces, isSecure: settings.tls != nil)
    observability = RequestObservability(meter: meter, spans: spans, log: settings.accessLog)
    headers = SecurityHeaders(isSecure: settings.tls != nil)
    admission = RequestAdmission(realms: realms, settings: settings, logger: logger)
    crossOrigin = CrossOriginPolicy(allowedOrigins: settings.allowedOrigins)
  }

  /// Responds to a request with `handler` if the policy allows it.
  ///
  /// - Parameter preflightOrigins: access of other pages to the path of a preflight request; `nil` for that of the
  ///   policy.
  func respond(
    to request: Request, context: ServerContext, under policy: RoutePolicy,
    preflightOrigins: RoutePolicy.CrossOriginAccess? = nil,
    _ handler: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    try await observability.observing(request, context) { context in
      var response: Response
      if let preflight = crossOrigin.preflight(request, preflightOrigins ?? policy.origins) {
        response = preflight
      } else {
        do {
          response = try await admission.admitting(request, context, under: policy) { request, context in
            guard let rule = policy.audit else { return try await handler(request, context) }
            return try await AccessAudit.recording(
              rule, request, context, in: realms[context.realm ?? .live].access.audit,
              at: realms.clock.timeOfDay(), handler)
          }
        } catch {
          response = try policy.errors.response(to: error, context.logger)
        }
        crossOrigin.add(to: &response, for: request, policy.origins)
        try await compression.apply(to: &response, for: request)
      }
      headers.add(to: &response, isShared: policy.origins == .everyPage)
      return response
    }
  }
}
