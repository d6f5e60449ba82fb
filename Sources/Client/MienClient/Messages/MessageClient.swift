public import Foundation
public import MienAPI

/// Client for messages that are locked with a sequence of facial expressions: creates, reads, unlocks and deletes them.
public struct MessageClient: Sendable {
  private let server: URL
  private let transport: any Transport
  private let api: APIClient

  /// - Parameters:
  ///   - server: the server's address, with the path that a proxy adds in front, if any.
  ///   - key: an API key, if the server requires one; it must not be shipped in a public app.
  ///   - transport: sends the requests.
  public init(server: URL, key: String? = nil, transport: any Transport = URLSessionTransport()) {
    self.server = server
    self.transport = transport
    api = APIClient(server: server, transport: transport, secret: key)
  }

  /// - Parameters:
  ///   - server: the server's address, with the path that a proxy adds in front, if any.
  ///   - credentials: of the signed-in user, if the server requires one.
  ///   - transport: sends the requests.
  public init(server: URL, credentials: APICredentials, transport: any Transport = URLSessionTransport()) {
    self.server = server
    self.transport = transport
    api = APIClient(server: server, transport: transport, credentials: credentials)
  }

  /// Locks a message. The response contains the receipt that deletes it, which cannot be retrieved again.
  ///
  /// - Throws: ``ClientError``, or `CancellationError`, like all methods of this client.
  public func lock(_ options: CreateMessageRequest) async throws -> MessageResponse {
    try await api.ask("POST", "/v1/messages", body: options)
  }

  /// Returns the public data of a message. Consumes neither a view nor an attempt.
  public func look(at number: String) async throws -> MessageResponse {
    try await api.ask("GET", try Self.place(number))
  }

  /// Downloads the message's GIF.
  ///
  /// - Parameters:
  ///   - number: the message's ID.
  ///   - style: `classic`, or `smooth` with in-between images; `nil` for the server's default, classic.
  ///   - idSeconds: time for which the GIF shows the message ID, 0.5…10 s; `nil` for half a second.
  public func gif(of number: String, style: String? = nil, idSeconds: Double? = nil) async throws -> [UInt8] {
    let options = [style.map { "style=\($0)" }, idSeconds.map { "id_seconds=\($0)" }].compactMap { $0 }
    let place = "\(try Self.place(number))/gif" + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
    guard let bytes = try await api.fetch(place) else {
      throw ClientError(.unreadable, detail: "The server says that the GIF is being made.")
    }
    return bytes
  }

  /// Starts recording a sequence, which can lock a message when it is complete.
  ///
  /// - Parameters:
  ///   - steps: number of expressions, 3…12.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  /// - Returns: the recording for `CreateMessageRequest`, and the connection for the performance.
  public func record(steps: Int, client: String) async throws
    -> (recording: CreateMessageRequest.Recording, line: PerformanceConnection)
  {
    struct Body: Encodable {
      let steps: Int
    }
    let begun: PerformanceResponse = try await api.ask(
      "POST", "/v1/messages/recordings", body: Body(steps: steps))
    let line = try PerformanceConnection(server: server, performance: begun, client: client, transport: transport)
    return (CreateMessageRequest.Recording(id: begun.id, token: begun.token), line)
  }

  /// Starts a performance that can unlock a message.
  ///
  /// - Parameters:
  ///   - number: the message's ID.
  ///   - linkKey: the secret part of the message's link, for a message that only its holder can open.
  ///   - client: a random name of this app instance: 1 to 64 characters of `A–Z a–z 0–9 - _`.
  public func unlock(
    _ number: String, linkKey: String? = nil, client: String
  ) async throws -> PerformanceConnection {
    let begun: PerformanceResponse = try await api.ask(
      "POST", "\(try Self.place(number))/unlock", body: UnlockRequest(linkKey: linkKey))
    return try PerformanceConnection(server: server, performance: begun, client: client, transport: transport)
  }

  /// Deletes a message's text with the sender's receipt.
  public func delete(_ number: String, receipt: String) async throws {
    try await APIClient(server: server, transport: transport, secret: receipt).tell("DELETE", try Self.place(number))
  }

  /// Returns the path of a message, without characters other than ASCII letters, digits and hyphens.
  private static func place(_ number: String) throws -> String {
    let plain = number.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard !plain.isEmpty, plain.utf8.count <= 64 else {
      throw ClientError(.badValue, detail: "A message's number is 16 letters and digits.")
    }
    return "/v1/messages/\(plain)"
  }
}
