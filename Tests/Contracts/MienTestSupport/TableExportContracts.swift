public import MienPlatform
internal import Testing

/// Conformance test for ``TableExport``.
///
/// - Parameter whole: runs a closure in one transaction on the same store each time, which is empty at first.
public func checkTableExport(_ whole: ((any TableExport) throws -> Void) throws -> Void) throws {
  let lockouts = StoreTable(
    name: "lockout", columns: ["name", "kind", "failures", "locked_until_ms", "expires_ms"], key: ["kind", "name"],
    parents: [])
  func lockout(_ kind: String, _ name: String) -> [StoreValue] {
    [.text(name), .text(kind), .text("[1,  2]"), .empty, .integer(.min)]
  }
  let ordered = [
    lockout("device", "é"), lockout("person", "B"), lockout("person", "a"), lockout("person", "a "),
    lockout("person", "b"), lockout("person", "ä"),
  ]
  let scans = StoreTable(
    name: "scan", columns: ["id", "kind", "photos_expected", "created_ms", "changed_ms", "status", "owner"],
    key: ["id"], parents: ["scan_subject"])
  let came = ["c", "a", "b"].map { id -> [StoreValue] in
    [.text(id), .text("face"), .integer(3), .integer(1), .integer(1), .text("queued"), .bytes([UInt8](0..<32))]
  }

  try whole { tables in
    let kinds = try tables.kinds()
    #expect(kinds["lockout"]?["name"] == .text && kinds["lockout"]?["expires_ms"] == .integer)
    #expect(kinds["scan"]?["fraction"] == .real && kinds["picture"]?["bytes"] == .bytes)
    #expect(try tables.next() == nil, "no table is open")
    #expect(try records(of: lockouts, in: tables).isEmpty)
    try tables.insert(ordered.reversed(), into: lockouts)
    try tables.insert(came, into: scans)
  }
  try whole { tables in
    #expect(try records(of: lockouts, in: tables) == ordered, "by key, with texts ordered by their bytes")
    #expect(try records(of: scans, in: tables) == came, "in order of arrival")
    try tables.open(lockouts)
    #expect(try tables.next() == ordered.first)
    #expect(try records(of: lockouts, in: tables) == ordered, "reopening a table starts from the beginning")
    #expect(try tables.next() == nil)
  }
  struct Stop: Error {}
  #expect(throws: Stop.self) {
    try whole { tables in
      try tables.insert([lockout("device", "new")], into: lockouts)
      throw Stop()
    }
  }
  try whole { tables in
    let found = try records(of: lockouts, in: tables)
    #expect(found == ordered, "an incomplete transaction leaves nothing")
  }
  let twice = #expect(throws: StoreError.self) {
    try whole { tables in try tables.insert([ordered[0]], into: lockouts) }
  }
  #expect(twice.map { !$0.reason.contains("é") } == true, "an error contains no value")
}

private func records(of table: StoreTable, in tables: any TableExport) throws -> [[StoreValue]] {
  try tables.open(table)
  var records: [[StoreValue]] = []
  while let record = try tables.next() { records.append(record) }
  return records
}
