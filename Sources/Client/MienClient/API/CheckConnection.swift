public import Foundation
public import MienAPI
public import MienCore

/// Connection of one device to one check: sends frames and returns the resulting steps.
///
/// The server binds a check to the first client that sends a frame and rejects all others. A new connection with the
/// same `client` counts as the same client.
public struct CheckConnection: Sendable {
  private let api: APIClient
  private let path: String
  private let client: String

  /// - Parameters:
  ///   - server: the server's address, with the path that a proxy adds in front, if any.
  ///   - session: ID and token of the check, from the backend.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  ///   - transport: sends the requests.
  /// - Throws: ``ClientError`` with ``ClientError/Code/notFound`` for an ID that no check can have.
  public init(
    server: URL, session: CheckSession, client: String, transport: any Transport = URLSessionTransport()
  ) throws {
    guard let id = CheckID(session.id) else {
      throw ClientError(.notFound, detail: "A session id is 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    api = APIClient(server: server, transport: transport, secret: session.token)
    path = "/v1/checks/\(id.text)"
    self.client = client
  }

  /// Sends one unmirrored JPEG image and returns the server's next step. Send the next frame only after this call
  /// returns.
  ///
  /// - Parameters:
  ///   - jpeg: the image as encoded.
  ///   - capturedAt: time since the first frame of the check, on the device's monotonic clock; never negative.
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(frame jpeg: [UInt8], capturedAt: Interval) async throws -> StepResponse {
    try await api.post(
      "\(path)/frames", bytes: jpeg, type: "image/jpeg",
      headers: ["Mien-Client": client, "Mien-Captured-At": Self.milliseconds(capturedAt)])
  }

  /// Declines the current light task. The server replaces it with another task, which the next steps contain.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func decline() async throws -> StepResponse {
    try await api.post(
      "\(path)/decline", bytes: [], type: "application/json", headers: ["Mien-Client": client])
  }

  /// Sends one depth capture of type `application/vnd.mien.depth-frame`, while the server's steps are in the phase
  /// `depth`.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(depth capture: [UInt8]) async throws -> StepResponse {
    try await api.post(
      "\(path)/depth", bytes: capture, type: "application/vnd.mien.depth-frame", headers: ["Mien-Client": client])
  }

  /// Sends observations of the device's own face tracker as observation lines without a header
  /// (Documentation/reference/formats/ObservationLines.md). In a check with `compared` among its sources, their times are
  /// those of the frames: seconds since the first one.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func send(observationLines: [UInt8]) async throws -> StepResponse {
    try await api.post(
      "\(path)/observations", bytes: observationLines, type: "application/x-ndjson", headers: ["Mien-Client": client])
  }

  /// Sends one of several frames under way.
  func send(
    frame jpeg: [UInt8], capturedAt: Interval, number: Int64
  ) async throws -> FramePipeline<StepResponse>.Answer {
    try await api.post(
      frame: jpeg, to: "\(path)/frames", type: "image/jpeg",
      headers: [
        "Mien-Client": client, "Mien-Captured-At": Self.milliseconds(capturedAt), "Mien-Frame": String(number),
      ])
  }

  /// Chooses the tasks of a session whose backend left the choice to the app. Call it before the first frame.
  ///
  /// - Throws: ``ClientError`` with ``ClientError/Code/forbidden`` if the backend chose other tasks.
  public func choose(_ tasks: [TaskRequest]) async throws {
    try await api.tell("POST", "\(path)/tasks", body: ChooseTasksRequest(tasks: tasks))
  }

  /// Formats an interval as milliseconds with one decimal, independent of the locale.
  static func milliseconds(_ interval: Interval) -> String {
    let tenths = max(0, interval.nanoseconds) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}

/// Credentials for one check: its ID and token, as issued by the server to the integrator's backend.
///
/// They are `id` and `token` in the `/v1` API, `sessionId` and `authToken` in the Youverify-compatible API.
public struct CheckSession: Codable, Hashable, Sendable {
  public var id: String
  public var token: String

  public init(id: String, token: String) {
    self.id = id
    self.token = token
  }
}

extension CheckSession: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckSession(\(id), token withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
