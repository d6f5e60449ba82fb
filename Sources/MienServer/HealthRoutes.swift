internal import Hummingbird
internal import MienService
internal import MienWire

/// Whether the process lives, whether it can work, and what it has counted.
struct HealthRoutes<Observer: FaceObserver>: Sendable {
  /// Any of the services: they share the models and the meter.
  let service: CheckService<Observer>
  let meter: RequestMeter
  let captures: CaptureService?

  func add(to router: Router<ServerContext>) {
    router.get("/health/live") { _, _ in
      Replies.json(["status": "live"])
    }
    router.get("/health/ready") { _, _ in
      let obstacles = await service.obstacles()
      return Replies.json(ReadinessReply(obstacles: obstacles), status: obstacles.isEmpty ? .ok : .serviceUnavailable)
    }
    router.get("/metrics") { _, _ in
      let text = PrometheusText.render(await service.meter.read())
      let requests = RequestMetrics.render(meter.read(), waiting: await captures?.load())
      let work = WorkMetrics.render(service.meter.times.read())
      return Replies.text(text + requests + work, type: "text/plain; version=0.0.4; charset=utf-8")
    }
  }
}
