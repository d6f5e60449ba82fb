internal import Tracing

/// Something that is known of a piece of work: a number, or a word of a closed set. Where OpenTelemetry has a name for it, it has that.
public struct SpanFact: Sendable {
  let name: String
  let value: SpanAttribute

  private init(_ name: String, _ value: SpanAttribute) {
    self.name = name
    self.value = value
  }

  // MARK: - Requests

  /// - Parameter name: one that HTTP knows, or `_OTHER`.
  public static func method(_ name: String) -> SpanFact { SpanFact("http.request.method", .string(name)) }

  /// - Parameter route: as it is written in the code, never a path that somebody asked for.
  public static func route(_ route: String) -> SpanFact { SpanFact("http.route", .string(route)) }

  public static func status(_ status: Int) -> SpanFact { SpanFact("http.response.status_code", .int64(Int64(status))) }

  /// `https` or `http`.
  public static func scheme(isSecure: Bool) -> SpanFact {
    SpanFact("url.scheme", .string(isSecure ? "https" : "http"))
  }

  // MARK: - Stores

  static func databaseSystem(_ kind: WorkTimes.DatabaseKind) -> SpanFact {
    SpanFact("db.system.name", .string(kind == .postgres ? "postgresql" : "sqlite"))
  }

  static func databaseOperation(_ name: SpanName) -> SpanFact { SpanFact("db.operation.name", .string(name.text)) }

  static func databaseAccess(_ access: WorkTimes.DatabaseOperation) -> SpanFact {
    SpanFact("mien.database.access", .string(access.rawValue))
  }

  static func blobStore(_ kind: WorkTimes.BlobStoreKind) -> SpanFact {
    SpanFact("mien.blob.store", .string(kind.rawValue))
  }

  static func blobOperation(_ operation: WorkTimes.BlobOperation) -> SpanFact {
    SpanFact("mien.blob.operation", .string(operation.rawValue))
  }

  /// How much is read, written or looked at.
  public static func bytes(_ count: Int) -> SpanFact { SpanFact("mien.bytes", .int64(Int64(count))) }

  // MARK: - Work

  /// Which attempt it is, counted from 1.
  static func attempt(_ number: Int) -> SpanFact { SpanFact("mien.attempt", .int64(Int64(number))) }

  static func scanKind(_ kind: ScanRecord.Kind) -> SpanFact { SpanFact("mien.scan.kind", .string(kind.rawValue)) }

  static func partsLeftOut(_ count: Int) -> SpanFact { SpanFact("mien.parts_left_out", .int64(Int64(count))) }

  static func failure(_ word: String) -> SpanFact { SpanFact("error.type", .string(word)) }
}
