internal import Tracing

/// A span attribute: a number, or a word of a closed set. Uses OpenTelemetry's name where there is one.
public struct SafeSpanAttribute: Sendable {
  let name: String
  let value: SpanAttribute

  private init(_ name: String, _ value: SpanAttribute) {
    self.name = name
    self.value = value
  }

  // MARK: - Requests

  /// - Parameter name: a standard HTTP method, or `_OTHER`.
  public static func method(_ name: String) -> SafeSpanAttribute {
    SafeSpanAttribute("http.request.method", .string(name))
  }

  /// - Parameter route: the route pattern as defined in code, never a requested path.
  public static func route(_ route: String) -> SafeSpanAttribute { SafeSpanAttribute("http.route", .string(route)) }

  public static func status(_ status: Int) -> SafeSpanAttribute {
    SafeSpanAttribute("http.response.status_code", .int64(Int64(status)))
  }

  /// `https` or `http`.
  public static func scheme(isSecure: Bool) -> SafeSpanAttribute {
    SafeSpanAttribute("url.scheme", .string(isSecure ? "https" : "http"))
  }

  // MARK: - Stores

  static func databaseSystem(_ kind: OperationTimings.DatabaseKind) -> SafeSpanAttribute {
    SafeSpanAttribute("db.system.name", .string(kind == .postgres ? "postgresql" : "sqlite"))
  }

  static func databaseOperation(_ name: SpanName) -> SafeSpanAttribute {
    SafeSpanAttribute("db.operation.name", .string(name.text))
  }

  static func databaseAccess(_ access: OperationTimings.DatabaseOperation) -> SafeSpanAttribute {
    SafeSpanAttribute("mien.database.access", .string(access.rawValue))
  }

  static func blobStore(_ kind: OperationTimings.BlobStoreKind) -> SafeSpanAttribute {
    SafeSpanAttribute("mien.blob.store", .string(kind.rawValue))
  }

  static func blobOperation(_ operation: OperationTimings.BlobOperation) -> SafeSpanAttribute {
    SafeSpanAttribute("mien.blob.operation", .string(operation.rawValue))
  }

  /// Number of bytes read, written or processed.
  public static func bytes(_ count: Int) -> SafeSpanAttribute { SafeSpanAttribute("mien.bytes", .int64(Int64(count))) }

  // MARK: - Work

  /// Number of the attempt, counted from 1.
  package static func attempt(_ number: Int) -> SafeSpanAttribute {
    SafeSpanAttribute("mien.attempt", .int64(Int64(number)))
  }

  /// - Parameter kind: a word of a closed set.
  package static func scanKind(_ kind: String) -> SafeSpanAttribute {
    SafeSpanAttribute("mien.scan.kind", .string(kind))
  }

  static func partsLeftOut(_ count: Int) -> SafeSpanAttribute {
    SafeSpanAttribute("mien.parts_left_out", .int64(Int64(count)))
  }

  static func failure(_ word: String) -> SafeSpanAttribute { SafeSpanAttribute("error.type", .string(word)) }
}
