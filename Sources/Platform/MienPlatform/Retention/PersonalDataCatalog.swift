/// All data that a server stores, with its owner and the way it is deleted.
///
/// Deletion follows this list, and tests compare it with the schemas of both stores, the columns that name files and
/// the folders of a server: they fail for a table, column or kind of file that is missing from it.
public enum PersonalDataCatalog {
  /// Owner of the data in a table or file.
  public enum Owner: String, Hashable, Sendable, CaseIterable {
    case person, check
    /// Belongs to a check if it was made with a check's token, and otherwise to the API key that made it.
    case scan, capture
    /// Name, note and scans of a subject, deleted by `DELETE /v1/subjects/{id}`.
    case scanSubject
    case message
    /// A device key, deleted by `DELETE /v1/devices/{id}`.
    case device
    case operatorAccount
    /// No data of a person.
    case server
  }

  /// Way in which a table's rows or a file are deleted.
  public enum Erasure: Hashable, Sendable {
    /// By a statement of the stores' `delete(_:)`.
    case statement
    /// By the foreign key to this table.
    case cascade(from: String)
    /// By the service that owns it: files first, then the row.
    case service
    /// By the server itself after some time; until then, it contains IDs of people and checks only as keyed digests.
    case age
    /// Not deleted.
    case never
  }

  /// A table with all its columns.
  public struct Table: Hashable, Sendable {
    public let name: String
    public let owner: Owner
    public let erasure: Erasure
    public let columns: Set<String>
    /// Columns that name files outside of the database.
    public let fileColumns: Set<String>

    init(_ name: String, of owner: Owner, _ erasure: Erasure, _ columns: String, files: String = "") {
      self.name = name
      self.owner = owner
      self.erasure = erasure
      self.columns = Set(columns.split(separator: " ").map(String.init))
      fileColumns = Set(files.split(separator: " ").map(String.init))
    }
  }

  /// A kind of file outside of the database.
  public struct FileKind: Hashable, Sendable {
    /// Path of a folder or file in the data folder.
    public let place: String
    public let owner: Owner
    public let erasure: Erasure

    init(_ place: String, of owner: Owner, _ erasure: Erasure) {
      self.place = place
      self.owner = owner
      self.erasure = erasure
    }
  }

  public static let tables: [Table] = [
    Table(
      "liveness_check", of: .check, .statement,
      """
      id token_digest created_ms expires_ms side person expects_depth reference state device assurance bits_of_choice tasks attempts \
      audit_images keeps_clip sources takes_scan takes_captures takes_tasks face_reference \
      template_use return_url
      """),
    Table(
      "verdict", of: .check, .cascade(from: "liveness_check"),
      """
      check_id decided_ms outcome reason source frames outbound_path return_path received_count received_chain settings earlier \
      side feedback findings basis
      """),
    Table("picture", of: .check, .cascade(from: "verdict"), "check_id ordinal kind bytes box"),
    Table("clip", of: .check, .cascade(from: "verdict"), "check_id state bytes"),
    Table("check_template", of: .check, .cascade(from: "verdict"), "check_id bytes"),
    Table(
      "compatibility_session", of: .check, .cascade(from: "liveness_check"),
      "check_id api owner request_token parameters audit_images"),
    Table(
      "live_snapshot", of: .check, .cascade(from: "liveness_check"),
      "check_id server epoch renewed_ms state state_ms"),
    Table(
      "webhook_message", of: .check, .cascade(from: "liveness_check"),
      "id endpoint check_id event created_ms attempts next_ms state answer body"),
    Table("enrollment", of: .person, .statement, "person version created_ms thresholds"),
    Table("face_template", of: .person, .statement, "person model created_ms check_id bytes"),
    Table("lockout", of: .person, .statement, "kind name failures locked_until_ms expires_ms"),
    Table(
      "scan", of: .scan, .service,
      """
      id check_id subject label kind photos_expected voxel_um nearest_mm farthest_mm created_ms changed_ms owner status \
      phase fraction attempts problem_code problem_detail content request outcome worker arrival
      """),
    Table(
      "scan_file", of: .scan, .cascade(from: "scan"),
      "scan_id role name type bytes received upload blob digest worker", files: "upload blob"),
    Table("upload_piece", of: .scan, .service, "upload start finish blob", files: "upload blob"),
    Table("scan_subject", of: .scanSubject, .service, "id name note due created_ms"),
    Table(
      "capture", of: .capture, .service,
      """
      id owner check_id bytes receipt_digest received_ms photo_digest photo_size photo_blob photo_type depth_digest \
      depth_size depth_blob metadata detection claims signature same_photo counter_before state results provenance \
      reception motion motion_blob assertion_before worker arrival
      """, files: "photo_blob depth_blob motion_blob"),
    Table("capture_visualization", of: .capture, .cascade(from: "capture"), "capture_id kind bytes"),
    Table(
      "capture_device", of: .device, .service,
      """
      id public_key counter created_ms attested_id attested_key attested_counter attested_environment attested_ms
      """),
    Table("device_challenge", of: .server, .age, "digest expires_ms"),
    Table(
      "message", of: .message, .service,
      """
      id receipt_digest created_ms expires_ms mode avatar steps needs_frames needs_passive link_digest attempt_limit \
      first_wait_ms view_limit attempts views locked_until_ms ended own_key box hint kdf
      """),
    Table(
      "live_performance", of: .message, .age,
      "id expires_ms server epoch renewed_ms closed revision state state_ms"),
    Table("audit", of: .server, .never, "number at_ms actor action subject link"),
    Table(
      "api_key", of: .operatorAccount, .never, "digest created_ms name scopes expires_ms revoked_ms last_used_ms"),
    Table("encrypted_secret", of: .server, .never, "kind name sealed created_ms"),
    Table(
      "webhook_endpoint", of: .server, .never,
      "id url events secret previous_secret previous_until_ms signing_key public_key created_ms disabled_ms"),
    Table("account", of: .operatorAccount, .never, "name role password created_ms changed_ms"),
    Table(
      "account_session", of: .operatorAccount, .cascade(from: "account"),
      "digest account created_ms seen_ms expires_ms"),
    Table("sign_in_try", of: .server, .age, "digest full_ms"),
    Table("message_wait", of: .server, .age, "digest attempts until_ms"),
    // Coordination of servers that share a database, empty in SQLite.
    Table("server", of: .server, .age, "id seen_ms tidying"),
    Table("blob_place", of: .server, .never, "id blob", files: "blob"),
    Table("migration", of: .server, .never, "version digest"),
  ]

  /// Files in the data folder of a realm. Files of captures and scans are in `blobs` or in an object store.
  public static let files: [FileKind] = [
    FileKind("blobs", of: .capture, .service), FileKind("blobs", of: .scan, .service),
    FileKind("frame-logs", of: .check, .service), FileKind("mien.sqlite", of: .server, .never),
    FileKind("mien.sqlite-wal", of: .server, .never), FileKind("mien.sqlite-shm", of: .server, .never),
    FileKind("mien.keyring", of: .server, .never), FileKind("mien.lock", of: .server, .never),
    FileKind("store.place", of: .server, .never), FileKind("sandbox", of: .server, .never),
  ]

  /// Tables of a check's data whose rows are counted before they are deleted with the check.
  public static let countedTables: [(kind: DeletedDataKind, table: String)] = [
    (.images, "picture"), (.clips, "clip"), (.snapshots, "live_snapshot"), (.webhooks, "webhook_message"),
    (.sessions, "compatibility_session"), (.templates, "check_template"),
  ]
}
