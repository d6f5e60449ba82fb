internal import MienPlatform
internal import MienSecurity
internal import Crypto
internal import MienCore

/// Server-side verification of AWS Signature Version 4.
struct SigV4: Sendable {
  /// Maximum difference between a request's date and the server's time of day, in either direction.
  static let window = Interval.seconds(15 * 60)

  private let claim: SigV4Header

  var accessKey: String { claim.accessKey }

  /// Parses the request's Authorization header without verifying it.
  init(_ request: SignedRequest) throws(AWSError) { claim = try SigV4Header(request) }

  /// Verifies the signature with the key's secret, the date, and the body's digest if one is stated.
  func verify(_ request: SignedRequest, secret: [UInt8], now: UnixTime) throws(AWSError) {
    // The signature is verified first: a client that cannot sign learns nothing about the server's clock.
    let scope = SigV4Scope(timestamp: claim.timestamp, region: claim.region, service: SigV4Header.service)
    guard scope.isValid(claim.signature, of: canonical(request), secret: secret) else {
      throw AWSError(
        .invalidSignature,
        "The signature does not match. Check the secret access key, and that no proxy changes the Host header.")
    }
    let distance = claim.time.milliseconds.subtractingReportingOverflow(now.milliseconds).partialValue.magnitude
    guard distance <= UInt64(Self.window.nanoseconds / 1_000_000) else {
      throw AWSError(
        .invalidSignature,
        "Signature expired: X-Amz-Date is more than 15 minutes away from the server's time. Set the clock.")
    }
    if let stated = request.value(of: "x-amz-content-sha256") {
      guard stated == Hexadecimal.encode(SHA256.hash(data: request.body)) else {
        throw AWSError(.invalidSignature, "X-Amz-Content-Sha256 is not the digest of the body.")
      }
    }
  }

  private func canonical(_ request: SignedRequest) -> String {
    let headers = claim.signedHeaders.map { name in "\(name):\(request.value(of: name) ?? "")\n" }.joined()
    return [
      request.method, request.path, "", headers, claim.signedHeaders.joined(separator: ";"),
      Hexadecimal.encode(SHA256.hash(data: request.body)),
    ].joined(separator: "\n")
  }
}
