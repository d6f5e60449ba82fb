internal import MienService
internal import NIOCore
internal import NIOHTTP1

/// One request about a key, or about the bucket itself.
struct S3Request: Sendable {
  var method: HTTPMethod
  /// nil: the bucket.
  var key: String?
  var query: [(name: String, value: String)] = []
  /// Names in lower case; all of them are signed.
  var headers: [(name: String, value: String)] = []
  var body: ByteBuffer?
  /// SHA-256 of the body.
  var digest = ContentDigest(of: [])
  /// What may come back, in bytes; more is a broken reply.
  var limit = 1 << 20

  init(_ method: HTTPMethod, _ key: String?, query: [(name: String, value: String)] = []) {
    self.method = method
    self.key = key
    self.query = query
  }
}

/// What came back, whole.
struct S3Response: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: [UInt8]
}
