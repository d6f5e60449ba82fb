/// Error in a multipart form. Events before it are valid.
public struct MultipartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Closed set of error codes.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The media type is not `multipart/form-data` with one boundary of RFC 2046's alphabet.
    case noBoundary = "no-boundary"
    /// The form ends before its closing delimiter.
    case truncated
    /// The delimiter is followed neither by `--` nor by the end of the line.
    case badDelimiter = "bad-delimiter"
    /// A part's header is malformed: no colon, a folded line, a bare line feed, or a character that is not allowed.
    case badHeader = "bad-header"
    /// A part has no `Content-Disposition: form-data` with one name.
    case noName = "no-name"
    /// A part has a transfer encoding, which is deprecated over HTTP (RFC 7578, section 4.7).
    case transferEncoding = "transfer-encoding"
    /// More parts, header bytes or bytes around the parts than the limits allow.
    case tooLarge = "too-large"
  }

  public let code: Code
  /// Number of the part in or after which the error occurred, starting at 1; 0 before the first.
  public let part: Int

  init(_ code: Code, part: Int) {
    self.code = code
    self.part = part
  }

  public var description: String {
    let place = part == 0 ? "before the first part" : "part \(part)"
    return "\(place): \(code.words)"
  }
}

extension MultipartError.Code {
  /// Description for the developer of the client.
  var words: String {
    switch self {
    case .noBoundary: "the Content-Type must be multipart/form-data with one boundary of 1 to 70 characters"
    case .truncated: "the form ends before its closing delimiter"
    case .badDelimiter: "a boundary is followed by something other than \"--\" or a line's end (CR LF)"
    case .badHeader: "a header is malformed; each is one line \"Name: value\" that ends with CR LF"
    case .noName: "a Content-Disposition: form-data with one name is missing"
    case .transferEncoding: "parts must be sent unencoded, without a Content-Transfer-Encoding"
    case .tooLarge: "there are more parts, headers or bytes around the parts than the server reads"
    }
  }
}
