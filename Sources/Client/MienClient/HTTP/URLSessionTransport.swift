internal import Foundation
internal import MienCore

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// HTTP over `URLSession`: no cookies, no cache, and no redirect, because a redirect would carry the secret elsewhere.
public struct URLSessionTransport: Transport {
  private let owner: SessionInvalidator

  /// - Parameter connections: how many connections to one server may be open at once.
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
      url: call.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: call.patience.inSeconds)
    request.httpMethod = call.method
    request.httpBody = call.body.map { Data($0) }
    request.httpShouldHandleCookies = false
    for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
    do {
      let (data, response) = try await owner.session.data(for: request)
      guard let response = response as? HTTPURLResponse else { throw ClientError.unreachable }
      var headers: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        if let name = name as? String { headers[name.lowercased()] = "\(value)" }
      }
      return APIResponse(status: response.statusCode, headers: headers, body: Array(data))
    } catch let error as ClientError {
      throw error
    } catch {
      // What the system says names addresses; who needs it finds it in the system's own log.
      if Task.isCancelled || error is CancellationError { throw CancellationError() }
      throw ClientError.unreachable
    }
  }
}

/// Lets the session go with the last transport that uses it; a session with a delegate would stay otherwise.
private final class SessionInvalidator: Sendable {
  let session: URLSession

  init(_ configuration: URLSessionConfiguration) {
    // The delegate is the session's: that of a single task is not asked on Linux.
    session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
  }

  deinit { session.finishTasksAndInvalidate() }
}

/// Takes a redirect as the reply that it is.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }
}
