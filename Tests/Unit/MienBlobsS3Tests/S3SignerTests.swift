import MienCore
import MienPlatform
import NIOHTTP1
import Testing

@testable import MienBlobsS3

/// Examples published by Amazon ("Signature Calculations for the Authorization Header", "Authenticating Requests: Using
/// Query Parameters"), all for Friday, May 24, 2013 in `us-east-1`.
@Suite struct `S3 request signatures` {
  private static let moment = UnixTime(milliseconds: 1_369_353_600_000)
  private let signer: S3Signer

  init() throws {
    signer = S3Signer(
      address: try #require(S3Address("s3://examplebucket?endpoint=https://s3.amazonaws.com&style=virtual")),
      credentials: try #require(
        S3Credentials(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")))
  }

  private func signature(_ request: S3Request) -> String? {
    authorization(request)?.split(separator: "Signature=").last.map(String.init)
  }

  private func authorization(_ request: S3Request) -> String? {
    signer.headers(request, at: Self.moment).first { $0.name == "authorization" }?.value
  }

  @Test func `match the documented example of a range request`() {
    var request = S3Request(.GET, "test.txt")
    request.headers = [("range", "bytes=0-9")]
    #expect(
      authorization(request)
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
  }

  @Test func `match the documented example of a new object`() {
    var request = S3Request(.PUT, "test$file.text")
    request.headers = [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")]
    request.digest = ContentDigest(of: Array("Welcome to Amazon S3.".utf8))
    #expect(signature(request) == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
  }

  @Test func `match the documented examples with query parameters`() {
    let lifecycle = S3Request(.GET, nil, query: [("lifecycle", "")])
    #expect(signature(lifecycle) == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    let list = S3Request(.GET, nil, query: [("prefix", "J"), ("max-keys", "2")])
    #expect(signature(list) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    #expect(signer.url(list) == "https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J")
  }

  @Test func `match the documented example of a presigned URL`() {
    #expect(
      signer.presigned("test.txt", for: .seconds(86_400), at: Self.moment)
        == "https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
        + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z"
        + "&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test func `are valid for at most one week`() {
    #expect(signer.presigned("a", for: .seconds(1e6), at: Self.moment).contains("X-Amz-Expires=604800&"))
    #expect(signer.presigned("a", for: .seconds(-5), at: Self.moment).contains("X-Amz-Expires=1&"))
  }

  @Test func `include the token of temporary credentials`() throws {
    let credentials = try #require(S3Credentials(id: "A", secret: "b", token: "c+d"))
    let temporary = S3Signer(address: signer.address, credentials: credentials)
    let headers = temporary.headers(S3Request(.GET, "a"), at: Self.moment)
    #expect(headers.contains { $0 == ("x-amz-security-token", "c+d") })
    #expect(headers.last?.value.contains("x-amz-date;x-amz-security-token,") == true)
    #expect(temporary.presigned("a", for: .seconds(9), at: Self.moment).contains("&X-Amz-Security-Token=c%2Bd&"))
  }
}
