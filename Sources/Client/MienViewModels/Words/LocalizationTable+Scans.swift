public import MienAPI

extension LocalizationTable {
  /// What a server says of a scan; its own English words where this table is older than the server.
  public func words(_ remark: ScanDiagnosticResponse) -> String {
    let key = "scan.remark.\(remark.code)"
    return words(has(key) ? LocalizedText(key, remark.values) : .own(remark.words))
  }
}
