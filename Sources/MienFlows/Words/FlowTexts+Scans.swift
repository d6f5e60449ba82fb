public import MienWire

extension FlowTexts {
  /// What a server says of a scan; its own English words where this table is older than the server.
  public func words(_ remark: ScanRemarkReply) -> String {
    let key = "scan.remark.\(remark.code)"
    return words(has(key) ? FlowText(key, remark.values) : .own(remark.words))
  }
}
