/// A diagnostic message about a scan: a note, or part of a finding of the report.
public struct ScanDiagnosticResponse: Codable, Hashable, Sendable {
  /// Message code; pages and apps localize it with the key `scan.remark.<code>`.
  public let code: String
  /// Values of the placeholders `{name}` in the message.
  public let values: [String: String]
  /// English text of the message.
  public let words: String

  public init(code: String, values: [String: String], words: String) {
    self.code = code
    self.values = values
    self.words = words
  }
}
