internal import Hummingbird
internal import MienService
internal import MienAPI

/// What is seen in one picture, for pages and apps that help somebody to aim a camera.
struct FaceRoutes<Observer: FaceTracking>: Sendable {
  let spaces: Realms<Observer>
  let settings: ServerSettings

  func add(to router: Router<ServerContext>) {
    router.post("/v1/faces") { request, context in
      let service = try await service(for: request, context)
      try RequestParsing.expect(request, types: ["image/jpeg", "image/png"])
      let preview = try await service.preview(at: RequestParsing.body(request, upTo: settings.maximumFrameBytes))
      return JSONResponse.json(
        FacePreviewResponse(faceCount: preview.faceCount, box: preview.box, pose: preview.pose, hints: preview.hints))
    }
  }

  /// Of its key's world; where checks may be had without a key, so may this.
  private func service(for request: Request, _ context: ServerContext) async throws -> LivenessCheckService<Observer> {
    if RequestParsing.bearer(request) == nil, context.isDemoAllowed { return spaces.live.service }
    return try await spaces.authorized(request).service
  }
}
