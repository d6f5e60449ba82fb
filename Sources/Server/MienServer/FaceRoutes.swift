internal import Hummingbird
internal import MienAPI
internal import MienAccess
internal import MienChecks

/// Route that reports the face in one image, for pages and apps that help users aim the camera.
struct FaceRoutes: Sendable {
  let realms: Realms
  let settings: ServerSettings

  func add(to routes: inout APIRoutes) {
    routes.post("/v1/faces", RoutePolicy(.keyOrDemo, .checks, body: settings.maximumFrameBytes)) { call in
      try call.expect("image/jpeg", "image/png")
      let preview = try await realms[call.realm].checks.preview(at: call.body())
      return JSONResponse.json(
        FacePreviewResponse(faceCount: preview.faceCount, box: preview.box, pose: preview.pose, hints: preview.hints))
    }
  }
}
