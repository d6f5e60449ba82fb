internal import HTTPTypes
internal import Hummingbird

/// Allows pages of other origins to use the API (Fetch Standard, CORS protocol).
///
/// The API responds only to pages of the origins that the operator configured; tokens are sent in `Authorization`, never
/// in cookies, so credentials are not allowed.
struct CrossOriginPolicy: Sendable {
  private static let requestHeaders = "Authorization, Content-Type, Mien-Client, Mien-Captured-At, Mien-Frame"
  private static let uploadRequestHeaders =
    "Range, Idempotency-Key, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, Upload-Checksum"
  private static let responseHeaders = "Retry-After, Location, Mien-Frame-Window"
  private static let uploadResponseHeaders =
    "Content-Range, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Checksum-Algorithm, Tus-Max-Size, "
    + "Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires"

  let allowedOrigins: Set<String>

  /// Returns the response to a preflight request, or `nil` for other requests.
  func preflight(_ request: Request, _ access: RoutePolicy.CrossOriginAccess) -> Response? {
    guard request.method == .options, let origin = allowed(request, access) else { return nil }
    let isUpload = access == .uploads
    return Response(
      status: .noContent,
      headers: [
        .accessControlAllowOrigin: origin, .vary: "Origin", .accessControlMaxAge: "600",
        .accessControlAllowMethods: isUpload ? "GET, HEAD, POST, PATCH, DELETE" : "GET, POST",
        .accessControlAllowHeaders: Self.requestHeaders + (isUpload ? ", " + Self.uploadRequestHeaders : ""),
      ])
  }

  /// Adds the headers that allow the page that sent a request to read the response.
  func add(to response: inout Response, for request: Request, _ access: RoutePolicy.CrossOriginAccess) {
    if access == .everyPage {
      response.headers[.accessControlAllowOrigin] = "*"
    } else if let origin = allowed(request, access) {
      response.headers[.accessControlAllowOrigin] = origin
      response.headers[.vary] = response.headers[.vary].map { $0 + ", Origin" } ?? "Origin"
      response.headers[.accessControlExposeHeaders] =
        Self.responseHeaders + (access == .uploads ? ", " + Self.uploadResponseHeaders : "")
    }
  }

  private func allowed(_ request: Request, _ access: RoutePolicy.CrossOriginAccess) -> String? {
    guard access == .api || access == .uploads, !allowedOrigins.isEmpty, let origin = request.headers[.origin],
      allowedOrigins.contains(origin)
    else { return nil }
    return origin
  }
}
