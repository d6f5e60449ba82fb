public import Foundation
public import MienCore

/// HTTP transport between the client and the server.
///
/// Apps use ``URLSessionTransport``; tests substitute their own.
public protocol Transport: Sendable {
  /// Sends one request and waits for the complete response.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/unreachable`` if there is no response, `CancellationError` if
  ///   the
  ///   task was canceled.
  func send(_ call: APIRequest) async throws -> APIResponse
}

/// HTTP request.
public struct APIRequest: Sendable {
  public var method: String
  public var url: URL
  public var headers: [String: String]
  public var body: [UInt8]?
  /// Time to wait for the response.
  public var timeout: Interval

  public init(
    method: String, url: URL, headers: [String: String] = [:], body: [UInt8]? = nil, timeout: Interval = .seconds(15)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
  }
}

/// HTTP response.
public struct APIResponse: Sendable {
  public var status: Int
  /// Header values by lowercase name.
  public var headers: [String: String]
  public var body: [UInt8]

  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

// Requests carry secrets and images, responses carry face outlines: neither may be logged.
extension APIRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "APIRequest(\(method), \(body?.count ?? 0) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension APIResponse: CustomStringConvertible, CustomReflectable {
  public var description: String { "APIResponse(\(status), \(body.count) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
