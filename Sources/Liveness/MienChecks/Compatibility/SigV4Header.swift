internal import MienCore
internal import MienPlatform
internal import MienSecurity

/// The parsed signature information of a request (AWS, "Signature Version 4 signing process"). Not verified yet.
struct SigV4Header: Sendable {
  /// The only service for which signatures are accepted.
  static let service = "rekognition"
  /// Same as ``SigV4Scope/algorithm``.
  private static let algorithm = "AWS4-HMAC-SHA256"
  /// Headers that determine the meaning of a request; they must be signed.
  private static let required = ["host", "x-amz-date", "x-amz-target"]

  let accessKey: String
  /// The timestamp as sent, `20260131T235959Z`, and the time that it represents.
  let timestamp: String
  let time: UnixTime
  let region: String
  /// Names of the signed headers in lowercase, in order, each once.
  let signedHeaders: [String]
  /// 32 bytes.
  let signature: [UInt8]

  /// - Throws: ``AWSError`` if the information cannot be parsed, or if a header that determines the request's meaning
  ///   is not signed.
  init(_ request: SignedRequest) throws(AWSError) {
    guard let header = request.value(of: "authorization") else {
      throw AWSError(.missingAuthenticationToken, "The request is not signed; it needs an Authorization header.")
    }
    guard header.utf8.count <= 4096, header.hasPrefix(Self.algorithm + " ") else {
      throw AWSError(.incompleteSignature, "The Authorization header must begin with \(Self.algorithm).")
    }
    var parts: [Substring: Substring] = [:]
    for part in header.dropFirst(Self.algorithm.count).split(separator: ",") {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, parts.updateValue(pair[1], forKey: pair[0]) == nil else {
        throw AWSError(.incompleteSignature, "The Authorization header is malformed.")
      }
    }
    guard parts.count == 3, let credential = parts["Credential"], let names = parts["SignedHeaders"],
      let signed = parts["Signature"]
    else {
      throw AWSError(.incompleteSignature, "The Authorization header needs Credential, SignedHeaders and Signature.")
    }
    guard let signature = Hexadecimal.decode(signed), signature.count == 32 else {
      throw AWSError(.incompleteSignature, "The signature must be 64 lower-case hexadecimal digits.")
    }
    guard let timestamp = request.value(of: "x-amz-date"), let time = AWSTimestamp.read(timestamp) else {
      throw AWSError(.incompleteSignature, "X-Amz-Date is missing or does not have the form 20260131T235959Z.")
    }
    guard request.query?.isEmpty ?? true else {
      throw AWSError(.invalidSignature, "Requests of this service have no query; send everything in the body.")
    }
    let scope = credential.split(separator: "/", omittingEmptySubsequences: false)
    guard scope.count == 5, Self.isPlain(scope[0], longest: 128), Self.isPlain(scope[2], longest: 64),
      scope[4] == "aws4_request"
    else {
      throw AWSError(.incompleteSignature, "The credential must be KEY/date/region/service/aws4_request.")
    }
    guard scope[1] == timestamp.prefix(8), scope[3] == Self.service else {
      throw AWSError(.invalidSignature, "The credential's scope must be the date of X-Amz-Date and \(Self.service).")
    }
    self.signedHeaders = try Self.signedHeaders(names, of: request)
    accessKey = String(scope[0])
    self.timestamp = timestamp
    region = String(scope[2])
    self.time = time
    self.signature = signature
  }

  private static func signedHeaders(_ text: Substring, of request: SignedRequest) throws(AWSError) -> [String] {
    let names = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= 64, zip(names, names.dropFirst()).allSatisfy({ $0 < $1 }),
      names.allSatisfy({ name in request.headers.contains { $0.name == name } })
    else {
      throw AWSError(.incompleteSignature, "SignedHeaders must name headers of the request, in order, each once.")
    }
    let unsigned = request.headers.map(\.name).filter { $0 == "x-amz-security-token" || $0 == "x-amz-content-sha256" }
    for name in required + unsigned where !names.contains(name) {
      throw AWSError(.invalidSignature, "The header \(name) must be signed.")
    }
    return names
  }

  private static func isPlain(_ text: Substring, longest: Int) -> Bool {
    (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy(\.isIdentifierCharacter)
  }
}

/// The parts of a request that Signature Version 4 covers.
public struct SignedRequest: Sendable {
  public let method: String
  /// The path without the query.
  public let path: String
  public let query: String?
  /// Names in lowercase, values as received, in the order received; includes `host`.
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]

  public init(method: String, path: String, query: String?, headers: [(name: String, value: String)], body: [UInt8]) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Returns a header's values joined as the signature requires: trimmed, with runs of inner whitespace collapsed to
  /// one space. Returns `nil` if there is no such header.
  func value(of name: String) -> String? {
    let values = headers.filter { $0.name == name }.map { header in
      header.value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}
