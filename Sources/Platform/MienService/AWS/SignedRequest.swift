/// A request as Signature Version 4 looks at it.
public struct SignedRequest: Sendable {
  public let method: String
  /// Without the query.
  public let path: String
  public let query: String?
  /// Names in lower case, values as received, in the order received; with `host`.
  public let headers: [(name: String, value: String)]
  public let body: [UInt8]

  public init(method: String, path: String, query: String?, headers: [(name: String, value: String)], body: [UInt8]) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// A header's values joined as the signature joins them: without outer spaces, runs of inner ones as one.
  func value(of name: String) -> String? {
    let values = headers.filter { $0.name == name }.map { header in
      header.value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}
