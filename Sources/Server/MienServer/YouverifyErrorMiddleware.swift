internal import HTTPTypes
internal import Hummingbird
internal import MienService
internal import MienAPI

/// Converts errors to the format of the Youverify-compatible API, including those thrown before its routes, such as
/// invalid keys and exceeded limits.
struct YouverifyErrorMiddleware: RouterMiddleware {
  private static let invalidSession = "invalid_or_expired_session"
  private static let tokenError = "session_token_error"

  func handle(
    _ request: Request, context: ServerContext, next: @concurrent (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard request.uri.path.hasPrefix("/v2/api/identity/sdk/") else { return try await next(request, context) }
    do {
      return try await next(request, context)
    } catch let error as ServiceError where error.code == .forbidden {
      // A valid key without the required scope; the session is not the cause.
      return JSONResponse.json(
        YouverifyErrorResponse(statusCode: 403, key: "API_ERROR", message: error.reason), status: .forbidden)
    } catch let error as ServiceError where error.code != .notFound && error.code != .methodNotAllowed {
      return Self.response(error)
    }
  }

  static func response(_ error: ServiceError) -> Response {
    let (key, message) =
      switch error.code {
      case .notFound, .forbidden:
        (
          invalidSession,
          "There is no such session. Send the sessionId of session/generate as deviceCorrelationId, as ApiClient does."
        )
      case .checkOver: (invalidSession, "The session is over. Generate a new one.")
      case .unauthorized: (tokenError, "This needs an API key in the Token header.")
      default: ("API_ERROR", error.reason)
      }
    // Sessions of other clients are indistinguishable from sessions that do not exist.
    let status: HTTPResponse.Status = key == invalidSession ? .notFound : ProblemDetails.status(error.code)
    var response = JSONResponse.json(
      YouverifyErrorResponse(statusCode: status.code, key: key, message: message), status: status)
    if let seconds = error.retryAfter { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
