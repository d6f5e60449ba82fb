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
