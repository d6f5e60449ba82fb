internal import Hummingbird
internal import MienModel
internal import MienService
internal import MienWire

/// Whether the process lives, whether it can work, and what it has counted.
struct HealthRoutes<Observer: FaceObserver>: Sendable {
  /// Any of the services: they share the models and the meter.
  let service: CheckService<Observer>
  let meter: RequestMeter
  let captures: CaptureService?
  /// Of both spaces.
  let retention: [RetentionBook]
  let watch: PartWatch
  let queues: QueueMetrics<Observer>
  /// What sends traces; nil where nothing is traced.
  let exporter: TraceExporter?

  func add(to router: Router<ServerContext>) {
    router.get("/health/live") { _, _ in
      Replies.json(["status": "live"])
    }
    router.get("/health/ready") { _, _ in
      let reply = await readiness()
      return Replies.json(reply, status: reply.isUseful ? .ok : .serviceUnavailable)
    }
    router.get("/metrics") { _, _ in
      let text = PrometheusText.render(service.meter.read())
      let requests = RequestMetrics.render(meter.read(), waiting: await captures?.load())
      let work = WorkMetrics.render(service.meter.times.read())
      let parts = PartMetrics.render(watch)
      let retained = RetentionMetrics.render(retention)
      let waiting = await queues.render()
      let spans = TraceMetrics.render(exporter?.counts)
      return Replies.text(
        text + requests + work + parts + waiting + retained + spans, type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }

  private func readiness() async -> ReadinessReply {
    typealias Item = ReadinessReply.Item
    let models = await service.obstacles().map { obstacle in
      if case .modelUnavailable(let what) = obstacle { return Item(code: obstacle.code, what: what) }
      return Item(code: obstacle.code, what: "")
    }
    let away = watch.away
    func items(_ isVital: Bool) -> [Item] {
      away.filter { $0.isVital == isVital }.map { Item(code: $0.code, what: $0.what) }
    }
    return ReadinessReply(vital: models + items(true), others: items(false))
  }
}
