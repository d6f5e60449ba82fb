public import Foundation
public import MienAPI

/// Messages under locks of expressions: lock one, look at it, begin to open it, delete it.
public struct MessageClient: Sendable {
  private let server: URL
  private let transport: any Transport
  private let desk: APIClient

  /// - Parameters:
  ///   - server: the server's address, with a path if a proxy put one before it.
  ///   - key: an API key, where the server asks for one; it has no place in an app.
  public init(server: URL, key: String? = nil, transport: any Transport = URLSessionTransport()) {
    self.server = server
    self.transport = transport
    desk = APIClient(server: server, transport: transport, secret: key)
  }

  /// Locks a message. The reply holds the receipt that deletes it, which cannot be asked for again.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`; so do all of these.
  public func lock(_ options: CreateMessageRequest) async throws -> MessageResponse {
    try await desk.ask("POST", "/v1/messages", body: options)
  }

  /// What everybody may know of a message who has its number. It takes no view and no attempt.
  public func look(at number: String) async throws -> MessageResponse {
    try await desk.ask("GET", try Self.place(number))
  }

  /// The message's GIF.
  public func gif(of number: String) async throws -> [UInt8] {
    guard let bytes = try await desk.fetch("\(try Self.place(number))/gif") else {
      throw ClientError(.unreadable, detail: "The server says that the GIF is being made.")
    }
    return bytes
  }

  /// Begins a recording of a sequence, which can lock a message when it is complete.
  ///
  /// - Parameters:
  ///   - steps: how many expressions, 3…12.
  ///   - calibrates: true to take the neutral face for a second first.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  /// - Returns: what `CreateMessageRequest` asks for, and the line to perform on.
  public func record(steps: Int, calibrates: Bool = false, client: String) async throws
    -> (recording: CreateMessageRequest.Recording, line: PerformanceConnection)
  {
    struct Wish: Encodable {
      let steps: Int
      let calibrate: Bool
    }
    let begun: PerformanceResponse = try await desk.ask(
      "POST", "/v1/messages/recordings", body: Wish(steps: steps, calibrate: calibrates))
    let line = try PerformanceConnection(server: server, performance: begun, client: client, transport: transport)
    return (CreateMessageRequest.Recording(id: begun.id, token: begun.token), line)
  }

  /// Begins a performance that may open a message.
  ///
  /// - Parameters:
  ///   - calibrates: true to take the neutral face for a second first.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  public func unlock(_ number: String, calibrates: Bool = false, client: String) async throws -> PerformanceConnection {
    let begun: PerformanceResponse = try await desk.ask(
      "POST", "\(try Self.place(number))/unlock", body: UnlockRequest(calibrate: calibrates))
    return try PerformanceConnection(server: server, performance: begun, client: client, transport: transport)
  }

  /// Erases a message's text with the sender's receipt.
  public func delete(_ number: String, receipt: String) async throws {
    try await APIClient(server: server, transport: transport, secret: receipt).tell("DELETE", try Self.place(number))
  }

  /// A number within a path: what is no letter, digit or hyphen is left for the server to refuse.
  private static func place(_ number: String) throws -> String {
    let plain = number.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard !plain.isEmpty, plain.utf8.count <= 64 else {
      throw ClientError(.badValue, detail: "A message's number is 16 letters and digits.")
    }
    return "/v1/messages/\(plain)"
  }
}
