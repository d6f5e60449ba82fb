public import MienAPI

extension LocalizationTable {
  /// Returns the text of a scan diagnostic, or the server's English text if the table has none for its code.
  public func words(_ remark: ScanDiagnosticResponse) -> String {
    let key = "scan.remark.\(remark.code)"
    return words(has(key) ? LocalizedText(key, remark.values) : .own(remark.words))
  }
}
