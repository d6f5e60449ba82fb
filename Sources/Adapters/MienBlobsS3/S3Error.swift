/// Error of a request to the object store.
enum S3Error: Error, Equatable {
  /// The store answered with this status and, if present, this error code.
  case status(Int, String?)
  /// No connection could be established.
  case noConnection
  /// The certificate is not trusted by this machine.
  case noTrust
  /// The store did not answer in time.
  case timeout
  /// The connection broke off, or the response is not valid S3.
  case broken
  /// The request was canceled.
  case cancelled

  /// `true` if a retry of the same request may succeed.
  var isPassing: Bool {
    switch self {
    case .status(408, _), .status(429, _), .status(500..., _): !isNotImplemented
    case .status(409, let word): word == "ConditionalRequestConflict" || word == "OperationAborted"
    case .status(400, let word): word == "RequestTimeout"
    case .noConnection, .timeout, .broken: true
    default: false
    }
  }

  var isNotImplemented: Bool {
    if case .status(501, _) = self { true } else { false }
  }

  /// Description of the problem and its solution, without a blob ID, key, or signature.
  var reason: String {
    switch self {
    case .status(_, "NoSuchBucket"?): "The object store has no such bucket. Create it, or correct the bucket's name."
    case .status(_, "InvalidAccessKeyId"?), .status(_, "InvalidClientTokenId"?):
      "The object store does not know the access key. Check AWS_ACCESS_KEY_ID."
    case .status(_, "SignatureDoesNotMatch"?):
      "The object store rejected the signature. Check AWS_SECRET_ACCESS_KEY and the region."
    case .status(_, "ExpiredToken"?), .status(_, "InvalidToken"?):
      "The object store rejected AWS_SESSION_TOKEN: it has expired or belongs to another key."
    case .status(_, "RequestTimeTooSkewed"?):
      "The object store's clock and this machine's differ too much. Correct the clock."
    case .status(301, _), .status(307, _), .status(_, "AuthorizationHeaderMalformed"?),
      .status(_, "IllegalLocationConstraintException"?):
      "The bucket is in another region. Specify it with region=."
    case .status(401, _), .status(403, _):
      "The object store denied access\(word). The key needs permission to read, write, delete and list objects in the bucket."
    case .status(404, _): "The object store found nothing there\(word). Check the bucket and the endpoint."
    case .status(let status, _): "The object store answered \(status)\(word)."
    case .noConnection: "The object store cannot be reached. Check the endpoint, and that the store is running."
    case .noTrust: "The object store's certificate is not trusted. Check the endpoint and the certificate."
    case .timeout: "The object store did not answer in time."
    case .broken: "The connection to the object store broke, or it does not support S3. Check the endpoint."
    case .cancelled: "The request to the object store was canceled."
    }
  }

  private var word: String {
    if case .status(_, let word?) = self { " (\(word))" } else { "" }
  }

  /// Returns the code of an error document, or `nil` if there is none or it is not a plain word.
  static func word(_ body: [UInt8]) -> String? {
    guard let document = try? S3XMLNode.read(body), document.name == "Error", let word = document["Code"]?.text,
      (1...64).contains(word.utf8.count),
      word.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) })
    else { return nil }
    return word
  }
}
