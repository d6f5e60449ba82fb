/// Body of `POST /v1/scans`.
public struct CreateScanRequest: Decodable, Hashable, Sendable {
  /// A file that will be uploaded.
  public struct File: Decodable, Hashable, Sendable {
    public let name: String
    public let bytes: Int
    public let type: String?

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, bytes, type }

    /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
    public init(from decoder: any Decoder) throws {
      try decoder.refuseStrayKeys(CodingKeys.self)
      let box = try decoder.container(keyedBy: CodingKeys.self)
      name = try box.decode(String.self, forKey: .name)
      bytes = try box.decode(Int.self, forKey: .bytes)
      type = try box.decodeIfPresent(String.self, forKey: .type)
    }
  }

  public let subject: String?
  public let label: String?
  public let kind: String?
  public let photosExpected: Int?
  /// Edge length of a voxel.
  public let voxelMillimeters: Double?
  /// Nearest and farthest distance to use.
  public let rangeMillimeters: [Double]?
  public let files: [File]

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case subject, label, kind, files
    case photosExpected = "photos_expected"
    case voxelMillimeters = "voxel_millimeters"
    case rangeMillimeters = "range_millimeters"
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    subject = try box.decodeIfPresent(String.self, forKey: .subject)
    label = try box.decodeIfPresent(String.self, forKey: .label)
    kind = try box.decodeIfPresent(String.self, forKey: .kind)
    photosExpected = try box.decodeIfPresent(Int.self, forKey: .photosExpected)
    voxelMillimeters = try box.decodeIfPresent(Double.self, forKey: .voxelMillimeters)
    rangeMillimeters = try box.decodeIfPresent([Double].self, forKey: .rangeMillimeters)
    files = try box.decodeIfPresent([File].self, forKey: .files) ?? []
  }
}

/// Body of `PATCH /v1/scans/{id}`.
public struct DescribeScanRequest: Decodable, Hashable, Sendable {
  public let subject: String?
  public let label: String?

  private enum CodingKeys: String, CodingKey, CaseIterable { case subject, label }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    subject = try box.decodeIfPresent(String.self, forKey: .subject)
    label = try box.decodeIfPresent(String.self, forKey: .label)
  }
}

/// Body of `POST /v1/subjects` and `PATCH /v1/subjects/{id}`.
public struct SubjectRequest: Decodable, Hashable, Sendable {
  public let name: String?
  public let note: String?
  public let due: String?

  private enum CodingKeys: String, CodingKey, CaseIterable { case name, note, due }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    name = try box.decodeIfPresent(String.self, forKey: .name)
    note = try box.decodeIfPresent(String.self, forKey: .note)
    due = try box.decodeIfPresent(String.self, forKey: .due)
  }
}

/// A diagnostic message about a scan: a note, or part of a finding of the report.
public struct ScanDiagnosticResponse: Codable, Hashable, Sendable {
  /// Message code; pages and apps localize it with the key `scan.remark.<code>`.
  public let code: String
  /// Values of the placeholders `{name}` in the message.
  public let values: [String: String]
  /// English text of the message.
  public let text: String

  public init(code: String, values: [String: String], text: String) {
    self.code = code
    self.values = values
    self.text = text
  }
}
