public import Foundation
public import MienCore
public import MienAPI

/// One device's line to one performance: frames or observations go out one request at a time, steps come in.
public struct PerformanceConnection: Sendable {
  /// How many places the sequence has.
  public let steps: Int
  private let desk: APIClient
  private let path: String
  private let client: String

  /// - Parameters:
  ///   - server: the server's address, with a path if a proxy put one before it.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  /// - Throws: ``ClientError`` with ``ClientError/Code/notFound`` for an id that no performance can have.
  public init(
    server: URL, performance: PerformanceResponse, client: String, transport: any Transport = URLSessionTransport()
  ) throws {
    guard let id = CheckID(performance.id) else {
      throw ClientError(.notFound, detail: "A performance's id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    desk = APIClient(server: server, transport: transport, secret: performance.token)
    path = "/v1/performances/\(id.text)"
    steps = performance.steps
    self.client = client
  }

  /// Sends one unmirrored JPEG or PNG and returns what the server saw. Send the next one when this reply is in.
  ///
  /// - Parameter capturedAt: since the first frame, on the device's monotonic clock; never negative.
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(frame bytes: [UInt8], capturedAt: Interval) async throws -> PerformanceStepResponse {
    try await desk.post(
      "\(path)/frames", bytes: bytes, type: bytes.first == 0x89 ? "image/png" : "image/jpeg",
      headers: ["Mien-Client": client, "Mien-Captured-At": CheckConnection.milliseconds(capturedAt)])
  }

  /// Sends what a device's own tracker saw, as observation lines without a header (Documentation/Formats), as it sees it:
  /// the server holds the times against its clock.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(observationLines: [UInt8]) async throws -> PerformanceStepResponse {
    try await desk.post(
      "\(path)/observations", bytes: observationLines, type: "application/x-ndjson",
      headers: ["Mien-Client": client])
  }
}

extension PerformanceConnection: CustomStringConvertible, CustomReflectable {
  public var description: String { "PerformanceLine(token withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
