internal import Hummingbird
internal import MienService
internal import MienWire

/// What is seen in one picture, for pages and apps that help somebody to aim a camera.
struct FaceRoutes<Observer: FaceObserver>: Sendable {
  let spaces: Spaces<Observer>
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    router.post("/v1/faces") { request, context in
      let service = try await service(for: request, context)
      try Requests.expect(request, types: ["image/jpeg", "image/png"])
      let glance = try await service.glance(at: Requests.body(request, upTo: settings.maximumFrameBytes))
      return Replies.json(
        FaceGlanceReply(faceCount: glance.faceCount, box: glance.box, pose: glance.pose, hints: glance.hints))
    }
  }

  /// Of its key's world; where checks may be had without a key, so may this.
  private func service(for request: Request, _ context: ServerContext) async throws -> CheckService<Observer> {
    if Requests.bearer(request) == nil, context.mayDemonstrate { return spaces.live.service }
    return try await spaces.authorised(request).service
  }
}
