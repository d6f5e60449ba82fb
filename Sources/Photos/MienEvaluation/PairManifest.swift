/// Table of labeled pairs of images: tab-separated values with a header; see
/// Documentation/reference/formats/EvaluationManifest.md.
public struct PairManifest: Hashable, Sendable {
  public var pairs: [Pair]
  /// `true` if the table has similarities, which are used instead of measuring.
  public var hasSimilarities: Bool

  public struct Pair: Hashable, Sendable {
    public var first: String
    public var second: String
    /// `true` if both images show one person.
    public var isSamePerson: Bool
    /// Similarity from the table; `nil` if the cell is empty or there is no such column.
    public var similarity: Double?

    public init(first: String, second: String, isSamePerson: Bool, similarity: Double? = nil) {
      self.first = first
      self.second = second
      self.isSamePerson = isSamePerson
      self.similarity = similarity
    }
  }

  public init(_ text: String) throws(Manifest.FormatError) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    let header = lines.first.map(Self.cells) ?? []
    func column(_ name: String) throws(Manifest.FormatError) -> Int {
      guard let index = header.firstIndex(of: name) else { throw .noColumn(name) }
      return index
    }
    let (first, second, same) = (try column("first"), try column("second"), try column("same"))
    let similarity = header.firstIndex(of: "similarity")
    hasSimilarities = similarity != nil
    pairs = []
    for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let cells = Self.cells(line)
      guard cells.count >= header.count else { throw .tooFewCells(line: number + 1) }
      for path in [cells[first], cells[second]] {
        guard !path.isEmpty, !path.split(separator: "/").contains(".."), !path.contains("\0") else {
          throw .badPath(line: number + 1)
        }
      }
      guard cells[same] == "yes" || cells[same] == "no" else {
        throw .badAnswer(line: number + 1, column: "same")
      }
      var value: Double?
      if let similarity, !cells[similarity].isEmpty {
        guard let number = Double(cells[similarity]), (-1...1).contains(number) else {
          throw .badNumber(line: number + 1, column: "similarity")
        }
        value = number
      }
      pairs.append(
        Pair(first: cells[first], second: cells[second], isSamePerson: cells[same] == "yes", similarity: value))
    }
    guard !pairs.isEmpty else { throw .noRows }
  }

  /// The table as text, with similarities.
  public var text: String {
    "first\tsecond\tsame\tsimilarity\n"
      + pairs.map { pair in
        let similarity = pair.similarity.map { "\((($0 * 10_000).rounded()) / 10_000)" }
        return "\(pair.first)\t\(pair.second)\t\(pair.isSamePerson ? "yes" : "no")\t\(similarity ?? "")\n"
      }.joined()
  }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}
