internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import MienAPI

/// Parses requests; all of their contents are untrusted.
enum RequestParsing {
  /// Returns the secret in `Authorization: Bearer`, or `nil`.
  static func bearer(_ request: Request) -> String? {
    request.headers[.authorization].flatMap { bearer(authorization: $0) }
  }

  /// Returns `true` if the client requests a representation of the result (`Prefer: return=representation`, RFC 7240).
  static func prefersRepresentation(_ request: Request) -> Bool {
    request.headers[values: .prefer].prefix(8).contains { value in
      value.prefix(256).split(separator: ",").contains {
        $0.lowercased().filter { $0 != " " } == "return=representation"
      }
    }
  }

  static func bearer(authorization header: String) -> String? {
    guard header.utf8.count <= 2048 else { return nil }
    // Compared bytewise for speed: this runs more than once per request.
    let scheme = header.utf8.prefix(7)
    let space = UInt8(ascii: " ")
    let isBearer = zip(scheme, "bearer ".utf8).allSatisfy { $0 == $1 || $1 != space && $0 | 0x20 == $1 }
    guard scheme.count == 7, isBearer else { return nil }
    let rest = header.utf8.dropFirst(7).drop { $0 == space }
    let secret = rest.prefix { $0 != space }
    guard !secret.isEmpty, rest[secret.endIndex...].allSatisfy({ $0 == space }) else { return nil }
    return String(Substring(secret))
  }

  /// Reads the whole body; throws as soon as it is known to be larger than `limit`.
  static func body(_ request: Request, upTo limit: Int) async throws -> [UInt8] {
    let length = request.headers[.contentLength].flatMap { Int($0) }.map { max(0, $0) }
    if let length, length > limit { throw tooLarge(limit) }
    let lease = BodyLease.current
    if let length { try lease?.expect(length) }
    var bytes: [UInt8] = []
    // Reserved pages use no physical memory until written; growing the array would copy it and temporarily need twice
    // the memory.
    bytes.reserveCapacity(length ?? 0)
    for try await chunk in request.body {
      guard bytes.count + chunk.readableBytes <= limit else { throw tooLarge(limit) }
      try lease?.take(chunk.readableBytes)
      bytes.append(contentsOf: chunk.readableBytesView)
    }
    return bytes
  }

  private static func tooLarge(_ limit: Int) -> ServiceError {
    ServiceError(.bodyTooLarge, "The body is larger than the limit of \(limit) bytes.")
  }

  /// Returns the media type without its parameters, in lowercase.
  static func mediaType(_ request: Request) -> String {
    let type = (request.headers[.contentType] ?? "").split(separator: ";").first.map(String.init) ?? ""
    return type.trimmingCharacters(in: .whitespaces).lowercased()
  }

  static func expect(_ request: Request, types: [String]) throws {
    // Fast path for the most common spelling.
    if let plain = request.headers[.contentType], types.contains(plain) { return }
    let type = mediaType(request)
    guard types.contains(type) else {
      throw ServiceError(
        .unsupportedMediaType,
        "The body's Content-Type is \(type.isEmpty ? "missing" : "not supported"); send \(types.joined(separator: " or "))."
      )
    }
  }

  /// Decodes a small JSON body; an empty body counts as `{}`.
  static func json<Value: Decodable>(_: Value.Type, _ request: Request, upTo limit: Int) async throws -> Value {
    try json(Value.self, request, Data(try await body(request, upTo: limit)))
  }

  /// Decodes a JSON body that has been read; an empty body counts as `{}`.
  static func json<Value: Decodable>(_: Value.Type, _ request: Request, _ body: Data) throws -> Value {
    if !body.isEmpty { try expect(request, types: ["application/json"]) }
    do {
      return try JSONDecoder().decode(Value.self, from: body.isEmpty ? Data("{}".utf8) : body)
    } catch let error as UnknownKeyError {
      throw ServiceError(
        .unknownKey, "There is no key \"\(error.key)\" here; the keys are \(error.known.joined(separator: ", ")).")
    } catch let error as DecodingError {
      throw ServiceError(.badJSON, describe(error))
    }
  }

  static func describe(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing."
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "The value of \"\(path(context))\" has the wrong type."
    // A body that is not JSON at all has no coding path.
    case .dataCorrupted(let context) where !context.codingPath.isEmpty:
      "The value of \"\(path(context))\" is not allowed here; /openapi.json lists the allowed values."
    default: "The body is not valid JSON."
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    context.codingPath.map(\.stringValue).joined(separator: ".")
  }

  static func session(_ context: some RequestContext) throws -> CheckID {
    guard let id = context.parameters.get("id").flatMap({ CheckID($0) }) else {
      throw ServiceError(.notFound, "There is no check with this id on this server.")
    }
    return id
  }

  /// Returns the `Mien-Client` header: a random name of the page or app instance.
  static func client(_ request: Request) throws -> String? {
    guard let text = request.headers[.mienClient] else { return nil }
    guard CheckID(text) != nil else {
      throw ServiceError(.badValue, "Mien-Client must be 1 to 64 characters of A–Z a–z 0–9 - _.")
    }
    return text
  }

  /// Returns the `Mien-Captured-At` header: milliseconds on the client's own monotonic clock.
  static func capturedAt(_ request: Request) throws -> Interval? {
    guard let text = request.headers[.mienCapturedAt] else { return nil }
    guard text.utf8.count <= 32, let milliseconds = Double(text), milliseconds >= 0, milliseconds < 1e12 else {
      throw ServiceError(.badValue, "Mien-Captured-At must be milliseconds on a monotonic clock, 0 or more.")
    }
    return .milliseconds(milliseconds)
  }

  /// Returns the `Mien-Frame` header: the client's number of the frame.
  static func frameNumber(_ request: Request) throws -> Int64? {
    guard let text = request.headers[.mienFrame] else { return nil }
    guard text.utf8.count <= 16, let number = Int64(text), (0..<(1 << 53)).contains(number) else {
      throw ServiceError(.badValue, "Mien-Frame must be a whole number from 0 on, greater for each frame.")
    }
    return number
  }
}

extension HTTPField.Name {
  static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
  static let prefer = HTTPField.Name("Prefer")!
  static let preferenceApplied = HTTPField.Name("Preference-Applied")!
  static let mienClient = HTTPField.Name("Mien-Client")!
  static let mienFrame = HTTPField.Name("Mien-Frame")!
  static let mienFrameWindow = HTTPField.Name("Mien-Frame-Window")!
  static let mienCapturedAt = HTTPField.Name("Mien-Captured-At")!
}
