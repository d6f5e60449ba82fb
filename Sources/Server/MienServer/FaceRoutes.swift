internal import Hummingbird
internal import MienService
internal import MienAPI

/// Route that reports the face in one image, for pages and apps that help users aim the camera.
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

  /// Returns the service of the key's realm, or of the live realm for demo requests without a key.
  private func service(for request: Request, _ context: ServerContext) async throws -> LivenessCheckService<Observer> {
    if RequestParsing.bearer(request) == nil, context.isDemoAllowed { return spaces.live.service }
    return try await spaces.authorized(request).service
  }
}
