public import Foundation
public import MienCore
public import MienAPI

/// One device's line to one check: frames go out one at a time, steps come in.
///
/// The server lets the first client that sends a frame go on, and nobody else; a line made again with the same
/// `client` is the same client.
public struct CheckConnection: Sendable {
  private let desk: APIClient
  private let path: String
  private let client: String

  /// - Parameters:
  ///   - server: the server's address, with a path if a proxy put one before it.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  /// - Throws: ``ClientError`` with ``ClientError/Code/notFound`` for an id that no check can have.
  public init(
    server: URL, session: CheckSession, client: String, transport: any Transport = URLSessionTransport()
  ) throws {
    guard let id = CheckID(session.id) else {
      throw ClientError(.notFound, detail: "A session id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    desk = APIClient(server: server, transport: transport, secret: session.token)
    path = "/v1/checks/\(id.text)"
    self.client = client
  }

  /// Sends one unmirrored JPEG and returns what the server wants next. Send the next one when this reply is in.
  ///
  /// - Parameter capturedAt: since the first frame of the check, on the device's monotonic clock; never negative.
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(frame jpeg: [UInt8], capturedAt: Interval) async throws -> StepResponse {
    try await desk.post(
      "\(path)/frames", bytes: jpeg, type: "image/jpeg",
      headers: ["Mien-Client": client, "Mien-Captured-At": Self.milliseconds(capturedAt)])
  }

  /// Milliseconds with one decimal, in the digits of the C locale.
  static func milliseconds(_ interval: Interval) -> String {
    let tenths = max(0, interval.nanoseconds) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
