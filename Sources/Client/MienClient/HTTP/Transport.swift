public import Foundation
public import MienCore

/// What carries a request to the server and brings the reply back.
///
/// Apps use ``URLSessionTransport``; a test puts its own in the place.
public protocol Transport: Sendable {
  /// Sends one request and waits for the whole reply.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/unreachable`` when there is no reply, `CancellationError` when
  ///   the task was cancelled.
  func send(_ call: APIRequest) async throws -> APIResponse
}

/// One HTTP request.
public struct APIRequest: Sendable {
  public var method: String
  public var url: URL
  public var headers: [String: String]
  public var body: [UInt8]?
  /// How long to wait for the reply.
  public var patience: Interval

  public init(
    method: String, url: URL, headers: [String: String] = [:], body: [UInt8]? = nil, patience: Interval = .seconds(15)
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.patience = patience
  }
}

/// One HTTP reply.
public struct APIResponse: Sendable {
  public var status: Int
  /// By their names in lower case.
  public var headers: [String: String]
  public var body: [UInt8]

  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

// A call carries a secret and a picture, a reply carries a face's outline.
extension APIRequest: CustomStringConvertible, CustomReflectable {
  public var description: String { "APIRequest(\(method), \(body?.count ?? 0) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension APIResponse: CustomStringConvertible, CustomReflectable {
  public var description: String { "APIResponse(\(status), \(body.count) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
