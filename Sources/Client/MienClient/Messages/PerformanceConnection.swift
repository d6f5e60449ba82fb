public import Foundation
public import MienCore
public import MienAPI

/// Connection of one device to one performance: sends frames or observations and returns the resulting steps.
public struct PerformanceConnection: Sendable {
  /// Number of expressions in the sequence.
  public let steps: Int
  private let api: APIClient
  private let path: String
  private let client: String

  /// - Parameters:
  ///   - server: the server's address, with the path that a proxy adds in front, if any.
  ///   - performance: ID and token of the performance, from the server.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  ///   - transport: sends the requests.
  /// - Throws: ``ClientError`` with ``ClientError/Code/notFound`` for an ID that no performance can have.
  public init(
    server: URL, performance: PerformanceResponse, client: String, transport: any Transport = URLSessionTransport()
  ) throws {
    guard let id = CheckID(performance.id) else {
      throw ClientError(.notFound, detail: "A performance's id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    api = APIClient(server: server, transport: transport, secret: performance.token)
    path = "/v1/performances/\(id.text)"
    steps = performance.steps
    self.client = client
  }

  /// Sends one unmirrored JPEG or PNG image and returns the server's step. Send the next frame only after this call
  /// returns.
  ///
  /// - Parameters:
  ///   - bytes: the image as encoded.
  ///   - capturedAt: time since the first frame, on the device's monotonic clock; never negative.
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(frame bytes: [UInt8], capturedAt: Interval) async throws -> PerformanceStepResponse {
    try await api.post(
      "\(path)/frames", bytes: bytes, type: bytes.first == 0x89 ? "image/png" : "image/jpeg",
      headers: ["Mien-Client": client, "Mien-Captured-At": CheckConnection.milliseconds(capturedAt)])
  }

  /// Sends one of several frames under way.
  func send(
    frame bytes: [UInt8], capturedAt: Interval, number: Int64
  ) async throws -> FramePipeline<PerformanceStepResponse>.Answer {
    try await api.post(
      frame: bytes, to: "\(path)/frames", type: bytes.first == 0x89 ? "image/png" : "image/jpeg",
      headers: [
        "Mien-Client": client, "Mien-Captured-At": CheckConnection.milliseconds(capturedAt),
        "Mien-Frame": String(number),
      ])
  }

  /// Sends observations of the device's own face tracker as observation lines without a header (Documentation/reference/formats).
  /// Send them as they occur: the server compares the timestamps with its own clock.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(observationLines: [UInt8]) async throws -> PerformanceStepResponse {
    try await api.post(
      "\(path)/observations", bytes: observationLines, type: "application/x-ndjson",
      headers: ["Mien-Client": client])
  }
}

extension PerformanceConnection: CustomStringConvertible, CustomReflectable {
  public var description: String { "PerformanceConnection(token withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
