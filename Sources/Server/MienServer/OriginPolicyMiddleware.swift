internal import HTTPTypes
internal import Hummingbird

/// Allows pages of other origins to use the browser client (Fetch Standard, CORS protocol).
///
/// The client's own files are public, so any page may load them. The API responds only to pages of the origins that the
/// operator configured; tokens are sent in `Authorization`, never in cookies, so credentials are not allowed.
struct OriginPolicyMiddleware<Context: RequestContext>: RouterMiddleware {
  let origins: Set<String>

  /// Returns `true` for the files of the browser client that other pages may load.
  static func isPublicFile(_ path: String) -> Bool { path == "/liveness.js" || path.hasPrefix("/assets/") }

  /// Returns `true` for paths that a page with a check's token may request; webhooks are for backends only.
  static func isForPages(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return parts.first == "v1" && parts.dropFirst().first != "webhooks"
  }

  /// Returns `true` for the paths that a page needs to send and display depth scans.
  static func isOfScans(_ path: String) -> Bool {
    ["/v1/scans", "/v1/uploads", "/v1/subjects"].contains { path == $0 || path.hasPrefix($0 + "/") }
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path
    if Self.isPublicFile(path) {
      var response = try await next(request, context)
      response.headers[.accessControlAllowOrigin] = "*"
      return response
    }
    guard let origin = request.headers[.origin], origins.contains(origin), Self.isForPages(path) else {
      return try await next(request, context)
    }
    if request.method == .options {
      var response = Response(status: .noContent)
      allow(origin, in: &response)
      let isOfScans = Self.isOfScans(path)
      response.headers[.accessControlAllowMethods] = isOfScans ? "GET, HEAD, POST, PATCH, DELETE" : "GET, POST"
      response.headers[.accessControlAllowHeaders] =
        "Authorization, Content-Type, Mien-Client, Mien-Captured-At"
        + (isOfScans
          ? ", Range, Idempotency-Key, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, Upload-Checksum"
          : "")
      response.headers[.accessControlMaxAge] = "600"
      return response
    }
    var response = try await next(request, context)
    allow(origin, in: &response)
    response.headers[.accessControlExposeHeaders] =
      "Retry-After, Location"
      + (Self.isOfScans(path)
        ? ", Content-Range, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Checksum-Algorithm, Tus-Max-Size, "
          + "Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires"
        : "")
    return response
  }

  private func allow(_ origin: String, in response: inout Response) {
    response.headers[.accessControlAllowOrigin] = origin
    response.headers[.vary] = "Origin"
  }
}
