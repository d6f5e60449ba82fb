internal import MienPlatform
internal import NIOCore
internal import NIOHTTP1

/// Request for a key, or for the bucket itself.
struct S3Request: Sendable {
  var method: HTTPMethod
  /// Key; `nil` for the bucket.
  var key: String?
  var query: [(name: String, value: String)] = []
  /// Headers with lowercase names; all of them are signed.
  var headers: [(name: String, value: String)] = []
  var body: ByteBuffer?
  /// SHA-256 of the body.
  var digest = ContentDigest(of: [])
  /// Maximum response size in bytes; a larger response is an error.
  var limit = 1 << 20

  init(_ method: HTTPMethod, _ key: String?, query: [(name: String, value: String)] = []) {
    self.method = method
    self.key = key
    self.query = query
  }
}

/// Complete response.
struct S3Response: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: [UInt8]
}
