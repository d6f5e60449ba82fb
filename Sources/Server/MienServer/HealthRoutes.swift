internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAccess
internal import MienChecks
internal import MienCaptures
internal import MienAPI

/// Routes for liveness, readiness and metrics.
struct HealthRoutes: Sendable {
  /// Service of either realm: both share the models.
  let checks: LivenessCheckService
  let metrics: ServiceMetrics
  let meter: RequestCounter
  let captures: CaptureService?
  /// Purge counters of both realms.
  let retention: [PurgeCounter]
  let monitor: DependencyHealthMonitor
  let queues: QueueMetrics
  /// Trace exporter; `nil` if tracing is off.
  let exporter: TraceExporter?

  func add(to routes: inout APIRoutes) {
    let open = RoutePolicy(.anyone, origins: .none)
    routes.get("/health/live", open) { _ in
      JSONResponse.json(["status": "live"])
    }
    routes.get("/health/ready", open) { _ in
      let reply = await readiness()
      return JSONResponse.json(reply, status: reply.isUseful ? .ok : .serviceUnavailable)
    }
    routes.get("/metrics", RoutePolicy(.anyone, .admin, origins: .none)) { _ in
      let text = PrometheusText.render(metrics.read())
      let requests = RequestMetrics.render(meter.read(), waiting: await captures?.load())
      let work = OperationMetrics.render(metrics.times.read())
      let parts = DependencyMetrics.render(monitor)
      let retained = RetentionMetrics.render(retention)
      let waiting = await queues.render()
      let spans = TraceMetrics.render(exporter?.counts)
      return JSONResponse.text(
        text + requests + work + parts + waiting + retained + spans, type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  private func readiness() async -> ReadinessResponse {
    typealias Item = ReadinessResponse.Item
    let models = await checks.obstacles().map { obstacle in
      if case .modelUnavailable(let what) = obstacle { return Item(code: obstacle.code, detail: what) }
      return Item(code: obstacle.code, detail: "")
    }
    let away = monitor.away
    func items(_ isVital: Bool) -> [Item] {
      away.filter { $0.isVital == isVital }.map { Item(code: $0.code, detail: $0.what) }
    }
    return ReadinessResponse(vital: models + items(true), others: items(false))
  }
}
