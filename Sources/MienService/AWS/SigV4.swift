internal import Crypto
internal import MienModel

/// Signature Version 4 of AWS, the server's side: what a request claims about who signed it, and whether that is so.
struct SigV4: Sendable {
  /// How far a request's date may lie from the server's time of day, either way.
  static let window = Interval.seconds(15 * 60)
  /// The only service that is signed for here.
  static let service = "rekognition"
  private static let algorithm = SigV4Scope.algorithm
  /// Headers that the meaning of a request hangs on; they must be signed.
  private static let required = ["host", "x-amz-date", "x-amz-target"]

  let accessKey: String
  private let scope: SigV4Scope
  private let time: UnixTime
  private let signedHeaders: [String]
  private let signature: [UInt8]

  /// Reads what the request claims; nothing of it is true yet.
  init(_ request: SignedRequest) throws(AWSFault) {
    guard let header = request.value(of: "authorization") else {
      throw AWSFault(.missingAuthenticationToken, "The request is not signed; it needs an Authorization header.")
    }
    guard header.utf8.count <= 4096, header.hasPrefix(Self.algorithm + " ") else {
      throw AWSFault(.incompleteSignature, "The Authorization header must begin with \(Self.algorithm).")
    }
    var parts: [Substring: Substring] = [:]
    for part in header.dropFirst(Self.algorithm.count).split(separator: ",") {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, parts.updateValue(pair[1], forKey: pair[0]) == nil else {
        throw AWSFault(.incompleteSignature, "The Authorization header is malformed.")
      }
    }
    guard parts.count == 3, let credential = parts["Credential"], let names = parts["SignedHeaders"],
      let signed = parts["Signature"]
    else {
      throw AWSFault(.incompleteSignature, "The Authorization header needs Credential, SignedHeaders and Signature.")
    }
    guard let signature = Hexadecimal.decode(signed), signature.count == 32 else {
      throw AWSFault(.incompleteSignature, "The signature must be 64 lower-case hexadecimal digits.")
    }
    guard let timestamp = request.value(of: "x-amz-date"), let time = AWSTimestamp.read(timestamp) else {
      throw AWSFault(.incompleteSignature, "X-Amz-Date must be there, like 20260131T235959Z.")
    }
    guard request.query?.isEmpty ?? true else {
      throw AWSFault(.invalidSignature, "Requests of this service have no query; send everything in the body.")
    }
    let scope = credential.split(separator: "/", omittingEmptySubsequences: false)
    guard scope.count == 5, Self.isPlain(scope[0], longest: 128), Self.isPlain(scope[2], longest: 64),
      scope[4] == "aws4_request"
    else {
      throw AWSFault(.incompleteSignature, "The credential must be KEY/date/region/service/aws4_request.")
    }
    guard scope[1] == timestamp.prefix(8), scope[3] == Self.service else {
      throw AWSFault(.invalidSignature, "The credential's scope must be the date of X-Amz-Date and \(Self.service).")
    }
    self.signedHeaders = try Self.signedHeaders(names, of: request)
    accessKey = String(scope[0])
    self.scope = SigV4Scope(timestamp: timestamp, region: String(scope[2]), service: Self.service)
    self.time = time
    self.signature = signature
  }

  /// Holds the claim against the key's secret and the time.
  func verify(_ request: SignedRequest, secret: [UInt8], now: UnixTime) throws(AWSFault) {
    // The signature first: who cannot sign learns nothing about our clock.
    guard scope.isValid(signature, of: canonical(request), secret: secret) else {
      throw AWSFault(
        .invalidSignature,
        "The signature does not match. Check the secret access key, and that no proxy changes the Host header.")
    }
    let distance = time.milliseconds.subtractingReportingOverflow(now.milliseconds).partialValue.magnitude
    guard distance <= UInt64(Self.window.nanoseconds / 1_000_000) else {
      throw AWSFault(
        .invalidSignature,
        "Signature expired: X-Amz-Date is more than 15 minutes away from the server's time. Set the clock.")
    }
    if let stated = request.value(of: "x-amz-content-sha256") {
      guard stated == Hexadecimal.encode(SHA256.hash(data: request.body)) else {
        throw AWSFault(.invalidSignature, "X-Amz-Content-Sha256 is not the digest of the body.")
      }
    }
  }

  private func canonical(_ request: SignedRequest) -> String {
    let headers = signedHeaders.map { name in "\(name):\(request.value(of: name) ?? "")\n" }.joined()
    return [
      request.method, request.path, "", headers, signedHeaders.joined(separator: ";"),
      Hexadecimal.encode(SHA256.hash(data: request.body)),
    ].joined(separator: "\n")
  }

  private static func signedHeaders(_ text: Substring, of request: SignedRequest) throws(AWSFault) -> [String] {
    let names = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= 64, zip(names, names.dropFirst()).allSatisfy({ $0 < $1 }),
      names.allSatisfy({ name in request.headers.contains { $0.name == name } })
    else {
      throw AWSFault(.incompleteSignature, "SignedHeaders must name headers of the request, in order, each once.")
    }
    let unsigned = request.headers.map(\.name).filter { $0 == "x-amz-security-token" || $0 == "x-amz-content-sha256" }
    for name in required + unsigned where !names.contains(name) {
      throw AWSFault(.invalidSignature, "The header \(name) must be signed.")
    }
    return names
  }

  private static func isPlain(_ text: Substring, longest: Int) -> Bool {
    (1...longest).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "_")
      }
  }
}
