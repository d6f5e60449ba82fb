/// A column whose values are encrypted: data that shows a face or was measured from one.
///
/// Documentation/reference/formats/EncryptedColumn.md specifies the format. Columns that are used in query conditions are not
/// encrypted; Guarding.md lists them with the reasons.
public struct EncryptedColumn: Hashable, Sendable {
  public let table: String
  public let name: String
  /// The columns that identify a record of the table: texts and integers.
  public let key: [String]
  /// `true` if the column holds JSON as text: encrypted, it is a JSON string. `false` if it holds bytes.
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

  /// The requested tasks and the subject's abilities.
  public static let tasks = json("liveness_check", "tasks", of: "id")
  /// Template of the face to compare with.
  public static let faceReference = bytes("liveness_check", "face_reference", of: "id")
  /// Template of a check that passed, from which its person can be enrolled.
  public static let checkTemplate = bytes("check_template", "bytes", of: "check_id")
  /// Template of an enrolled person.
  public static let faceTemplate = bytes("face_template", "bytes", of: "person")
  public static let outboundPath = json("verdict", "outbound_path", of: "check_id")
  public static let returnPath = json("verdict", "return_path", of: "check_id")
  public static let findings = json("verdict", "findings", of: "check_id")
  public static let thresholds = json("enrollment", "thresholds", of: "person", "version")
  public static let image = bytes("picture", "bytes", of: "check_id", "ordinal")
  public static let imageBox = json("picture", "box", of: "check_id", "ordinal")
  public static let clip = bytes("clip", "bytes", of: "check_id")
  /// Contains verdicts with their measures.
  public static let webhookBody = bytes("webhook_message", "body", of: "id")
  public static let captureMetadata = bytes("capture", "metadata", of: "id")
  public static let captureDetection = bytes("capture", "detection", of: "id")
  public static let captureClaims = json("capture", "claims", of: "id")
  public static let captureResults = json("capture", "results", of: "id")
  public static let captureProvenance = json("capture", "provenance", of: "id")
  /// The server's own credential for the photo, with its signer.
  public static let captureReception = json("capture", "reception", of: "id")
  public static let captureMotion = json("capture", "motion", of: "id")
  public static let visualization = bytes("capture_visualization", "bytes", of: "capture_id", "kind")
  public static let scanOutcome = json("scan", "outcome", of: "id")

  /// All encrypted columns; parent tables first.
  public static let all = [
    tasks, faceReference, outboundPath, returnPath, findings, checkTemplate, faceTemplate, thresholds, image, imageBox,
    clip, webhookBody, captureMetadata, captureDetection, captureClaims, captureResults, captureProvenance,
    captureReception, captureMotion, visualization, scanOutcome,
  ]

  /// Columns whose values are encrypted by their own services with their own labels, and that do not store a key ID:
  /// the key of a value is determined by trial decryption.
  static let secrets = [
    bytes("encrypted_secret", "sealed", of: "kind", "name"), bytes("webhook_endpoint", "secret", of: "id"),
    bytes("webhook_endpoint", "previous_secret", of: "id"), bytes("webhook_endpoint", "signing_key", of: "id"),
    bytes("message", "hint", of: "id"), liveState,
  ]
  static let liveState = bytes("live_snapshot", "state", of: "check_id")

  /// Returns the authenticated label of a value of ``secrets``; `nil` for check states, which have individual keys
  /// instead.
  func secretLabel(of record: [String]) -> String? {
    switch (table, name) {
    case ("encrypted_secret", _): record.joined(separator: "/")
    case ("webhook_endpoint", "signing_key"): "webhook-key/\(record[0])"
    case ("webhook_endpoint", _): "webhook-secret/\(record[0])"
    case ("message", _): "message-hint/\(record[0])"
    default: nil
    }
  }

  /// Reports whether this column of a ``key`` holds integers instead of texts.
  public static func isNumber(_ name: String) -> Bool { name == "version" || name == "ordinal" }

  /// Returns the label that binds a value to its place: it is unique to the table, column and record.
  ///
  /// Each part is prefixed with its length, so that no two lists of parts produce the same label.
  func label(of record: [String]) -> [UInt8] {
    Array(([table, name] + record).map { "\($0.utf8.count):\($0)" }.joined().utf8)
  }
}
