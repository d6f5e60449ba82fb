/// Why a form cannot be read. What came before it in the stream was read well.
public struct MultipartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The closed set of reasons.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The media type is not `multipart/form-data` with one boundary of RFC 2046's alphabet.
    case noBoundary = "no-boundary"
    /// The form ends before its closing delimiter.
    case truncated
    /// What follows a delimiter on its line is neither `--` nor a line's end.
    case badDelimiter = "bad-delimiter"
    /// A part's header is not one: no colon, a folded line, a bare line feed, a character that is not allowed.
    case badHeader = "bad-header"
    /// A part has no `Content-Disposition: form-data` with one name.
    case noName = "no-name"
    /// A part is encoded for transfer; over HTTP there is no need to (RFC 7578, section 4.7).
    case transferEncoding = "transfer-encoding"
    /// More parts, more bytes of headers or more bytes around the form than the limits allow.
    case tooLarge = "too-large"
  }

  public let code: Code
  /// The number of the part it happened in or after, from 1; 0 before the first.
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
  /// What is wrong, for the developer of the client.
  var words: String {
    switch self {
    case .noBoundary: "the Content-Type must be multipart/form-data with one boundary of 1 to 70 characters"
    case .truncated: "the form ends before its closing delimiter"
    case .badDelimiter: "a boundary is followed by something else than \"--\" or a line's end (CR LF)"
    case .badHeader: "a header is malformed; each is one line \"Name: value\" that ends with CR LF"
    case .noName: "a Content-Disposition: form-data with one name is missing"
    case .transferEncoding: "parts must come as they are, without a Content-Transfer-Encoding"
    case .tooLarge: "there are more parts, headers or bytes around the parts than the server reads"
    }
  }
}
