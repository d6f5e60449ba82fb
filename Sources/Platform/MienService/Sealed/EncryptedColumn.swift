/// A column whose values are sealed: what shows a face or was measured in one.
///
/// Documentation/Formats/EncryptedColumn.md says how. Columns that statements look into are none of these, and Guarding.md lists
/// them with the reasons.
public struct EncryptedColumn: Hashable, Sendable {
  public let table: String
  public let name: String
  /// The columns that name a record of the table: texts and whole numbers.
  public let key: [String]
  /// True when the column holds JSON as a text: sealed, it is a JSON string. False when it holds bytes.
  public let isJSON: Bool

  private init(_ table: String, _ name: String, of key: [String], isJSON: Bool) {
    self.table = table
    self.name = name
    self.key = key
    self.isJSON = isJSON
  }

  private static func json(_ table: String, _ name: String, of key: String...) -> EncryptedColumn {
    EncryptedColumn(table, name, of: key, isJSON: true)
  }

  private static func bytes(_ table: String, _ name: String, of key: String...) -> EncryptedColumn {
    EncryptedColumn(table, name, of: key, isJSON: false)
  }

  /// What a person was asked for and can do.
  public static let tasks = json("liveness_check", "tasks", of: "id")
  public static let wayOut = json("verdict", "way_out", of: "check_id")
  public static let wayBack = json("verdict", "way_back", of: "check_id")
  public static let findings = json("verdict", "findings", of: "check_id")
  public static let thresholds = json("enrolment", "thresholds", of: "person", "version")
  public static let image = bytes("picture", "bytes", of: "check_id", "ordinal")
  public static let imageBox = json("picture", "box", of: "check_id", "ordinal")
  public static let clip = bytes("clip", "bytes", of: "check_id")
  /// Tells of verdicts with their measures.
  public static let webhookBody = bytes("webhook_message", "body", of: "id")
  public static let captureMetadata = bytes("capture", "metadata", of: "id")
  public static let captureDetection = bytes("capture", "detection", of: "id")
  public static let captureClaims = json("capture", "claims", of: "id")
  public static let captureResults = json("capture", "results", of: "id")
  public static let captureMotion = json("capture", "motion", of: "id")
  public static let drawing = bytes("capture_drawing", "bytes", of: "capture_id", "kind")
  public static let scanOutcome = json("scan", "outcome", of: "id")

  /// All of them; parents' tables first.
  public static let all = [
    tasks, wayOut, wayBack, findings, thresholds, image, imageBox, clip, webhookBody, captureMetadata,
    captureDetection, captureClaims, captureResults, captureMotion, drawing, scanOutcome,
  ]

  /// Columns whose values are sealed by their own services, with labels of theirs, and whose keys have no name beside them:
  /// which key a value is under is found out by opening it.
  static let secrets = [
    bytes("sealed_secret", "sealed", of: "kind", "name"), bytes("webhook_endpoint", "secret", of: "id"),
    bytes("webhook_endpoint", "previous_secret", of: "id"), bytes("webhook_endpoint", "signing_key", of: "id"),
    bytes("message", "hint", of: "id"), liveState,
  ]
  static let liveState = bytes("live_snapshot", "state", of: "check_id")

  /// What a value of ``secrets`` is bound to; nil for states, which have keys of their own instead.
  func secretLabel(of record: [String]) -> String? {
    switch (table, name) {
    case ("sealed_secret", _): record.joined(separator: "/")
    case ("webhook_endpoint", "signing_key"): "webhook-key/\(record[0])"
    case ("webhook_endpoint", _): "webhook-secret/\(record[0])"
    case ("message", _): "message-hint/\(record[0])"
    default: nil
    }
  }

  /// True when this column of a ``key`` holds whole numbers and not texts.
  public static func isNumber(_ name: String) -> Bool { name == "version" || name == "ordinal" }

  /// What binds a value to its place: no other table, column or record gives the same.
  ///
  /// Each part has its length before it, so that no two lists of parts read the same.
  func label(of record: [String]) -> [UInt8] {
    Array(([table, name] + record).map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
