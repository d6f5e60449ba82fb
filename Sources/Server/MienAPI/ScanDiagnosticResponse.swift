/// A sentence about a scan, as a server's replies have it: a note, or a part of a finding of the report.
public struct ScanDiagnosticResponse: Codable, Hashable, Sendable {
  /// Which sentence it is; the texts of the pages and apps have it as `scan.remark.<code>`.
  public let code: String
  /// What stands in the sentence's places `{name}`.
  public let values: [String: String]
  /// The sentence in English.
  public let words: String

  public init(code: String, values: [String: String], words: String) {
    self.code = code
    self.values = values
    self.words = words
  }
}
