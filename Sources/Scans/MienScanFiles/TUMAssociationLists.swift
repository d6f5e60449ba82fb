internal import MienScanFormat
internal import MienReconstruction

/// Lists of the maps and images of a recording in the format of the TUM benchmark: `depth.txt` and `rgb.txt`, or one
/// list with both in each line (`associations.txt`), in either order.
struct TUMAssociationLists {
  typealias Entry = (seconds: Double, file: String)

  let depth: [Entry]
  let color: [Entry]
  /// Messages about listed files that do not exist: some recordings are excerpts, and some were published with gaps.
  let remarks: [ScanDiagnostic]

  private static let depthList = "depth.txt"
  private static let colorList = "rgb.txt"
  private static let jointLists = [
    "associations.txt", "association.txt", "associated.txt", "associate.txt", "associations_rgbd.txt",
  ]

  static func recognizes(_ tree: any FileTree) -> Bool {
    tree.has(depthList)
      || jointLists.contains(where: tree.has) && tree.names.contains { $0.hasPrefix("depth") && $0.contains("/") }
  }

  /// - Throws: ``ScanError`` `missing` if there is no map at all.
  init(_ tree: any FileTree) throws(ScanError) {
    var remarks: [ScanDiagnostic] = []
    func here(_ entries: [Entry], of list: String) -> [Entry] {
      let here = entries.filter { tree.has($0.file) }
      if here.count < entries.count {
        remarks.append(
          ScanDiagnostic(.noteFilesMissing, ["name": list, "count": "\(entries.count - here.count)"]))
      }
      return here
    }
    if tree.has(Self.depthList) {
      depth = here(try Self.entries(tree, Self.depthList).map { $0[0] }, of: Self.depthList)
      color =
        tree.has(Self.colorList)
        ? here(try Self.entries(tree, Self.colorList).map { $0[0] }, of: Self.colorList) : []
    } else {
      let list = Self.jointLists.first(where: tree.has) ?? Self.jointLists[0]
      let pairs = try Self.entries(tree, list)
      // Some lists have the image first, others the map.
      let side = pairs.first?.firstIndex { $0.file.contains("depth") } ?? 0
      depth = here(pairs.compactMap { $0.indices.contains(side) ? $0[side] : nil }, of: list)
      color = here(pairs.compactMap { $0.indices.contains(1 - side) ? $0[1 - side] : nil }, of: list)
    }
    guard !depth.isEmpty else {
      throw ScanError(.missing, "\(tree.name): of the maps that its list names none is there")
    }
    self.remarks = remarks
  }

  /// Returns one or two pairs of time and file per line.
  private static func entries(_ tree: any FileTree, _ list: String) throws(ScanError) -> [[Entry]] {
    var entries: [[Entry]] = []
    var lines = LineReader(try tree.text(list), file: list)
    while let line = try lines.next() {
      let parts = line.split { $0 == " " || $0 == "\t" || $0 == "," }
      guard let first = parts.first, !first.hasPrefix("#") else { continue }
      let entry = stride(from: 0, to: parts.count - 1, by: 2).compactMap { place -> Entry? in
        guard let seconds = Double(parts[place]), seconds.isFinite else { return nil }
        let file = parts[place + 1]
        return (seconds, String(file.hasPrefix("./") ? file.dropFirst(2) : file))
      }
      guard [2, 4].contains(parts.count), entry.count == parts.count / 2 else {
        throw ScanError(.damaged, "\(list): “\(line.prefix(60))” is not a time and a file")
      }
      entries.append(entry)
    }
    return entries
  }
}
