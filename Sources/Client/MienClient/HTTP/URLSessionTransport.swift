internal import Foundation
internal import MienCore

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// HTTP over `URLSession`, without cookies, cache and redirects: a redirect would send the secret to another server.
public struct URLSessionTransport: Transport {
  private let owner: SessionInvalidator

  /// - Parameter connections: maximum number of simultaneous connections to one server.
  public init(connections: Int = 6) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpMaximumConnectionsPerHost = max(1, connections)
    owner = SessionInvalidator(configuration)
  }

  public func send(_ call: APIRequest) async throws -> APIResponse {
    var request = URLRequest(
      url: call.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: call.timeout.inSeconds)
    request.httpMethod = call.method
    request.httpBody = call.body.map { Data($0) }
    request.httpShouldHandleCookies = false
    for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
    // On Linux, canceling a transfer while its response arrives deadlocks `URLSession.data(for:)` (swift-corelibs-foundation
    // #5412) and can crash `URLSessionTask.cancel()`. There, an abandoned transfer ends by itself or by its timeout.
    let (responses, response) = AsyncThrowingStream.makeStream(of: APIResponse.self)
    let transfer = owner.session.dataTask(with: request) { data, reply, _ in
      // The system's error text contains addresses; it is available in the system log.
      guard let data, let reply = reply as? HTTPURLResponse else {
        response.finish(throwing: ClientError.unreachable)
        return
      }
      var headers: [String: String] = [:]
      for (name, value) in reply.allHeaderFields {
        if let name = name as? String { headers[name.lowercased()] = "\(value)" }
      }
      response.yield(APIResponse(status: reply.statusCode, headers: headers, body: Array(data)))
      response.finish()
    }
    #if !canImport(FoundationNetworking)
      response.onTermination = { reason in
        if case .cancelled = reason { transfer.cancel() }
      }
    #endif
    transfer.resume()
    for try await response in responses { return response }
    throw CancellationError()
  }
}

/// Invalidates the session when its last transport is released; a session with a delegate would leak otherwise.
private final class SessionInvalidator: Sendable {
  let session: URLSession

  init(_ configuration: URLSessionConfiguration) {
    // Session-level delegate, because delegates of single tasks are not called on Linux.
    session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }
}

/// Returns redirects as ordinary responses instead of following them.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
