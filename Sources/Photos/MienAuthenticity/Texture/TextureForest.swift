/// Gradient-boosted decision trees, parsed from the text that training writes.
struct TextureForest: Sendable {
  /// A branch goes left if the measurement is at most the threshold; a leaf has no measurement.
  private struct Node: Sendable {
    var measure: Int32
    var threshold: Float
    var left: Int32
    var right: Int32
  }

  private var nodes: [Node] = []
  private var roots: [Int32] = []

  /// Trees shipped with the package.
  static let shipped: TextureForest = {
    guard let forest = TextureForest(TextureModelParameters.measures, TextureModelParameters.trees) else {
      preconditionFailure("the weights do not fit this program: run Training/train.py")
    }
    return forest
  }()

  /// Parses trees, one per line: `number threshold ( left ) ( right )` in prefix order; a leaf is `= value`.
  ///
  /// - Parameter names: names of the values that will be scored.
  /// - Returns: nil if a measurement is unknown or a tree is malformed.
  init?(_ measures: [String], _ text: String, among names: [String] = TextureCheck.names) {
    let numbers = measures.compactMap { names.firstIndex(of: $0).map(Int32.init) }
    guard numbers.count == measures.count else { return nil }
    for line in text.split(separator: "\n") {
      var words = line.split(separator: " ")[...]
      guard let root = read(&words, numbers, depth: 0), words.isEmpty else { return nil }
      roots.append(root)
    }
    guard !roots.isEmpty else { return nil }
  }

  private mutating func read(_ words: inout ArraySlice<Substring>, _ numbers: [Int32], depth: Int) -> Int32? {
    guard depth < 32, let first = words.popFirst(), let value = words.popFirst().flatMap({ Float($0) }) else {
      return nil
    }
    let at = nodes.count
    if first == "=" {
      nodes.append(Node(measure: -1, threshold: value, left: 0, right: 0))
      return Int32(at)
    }
    guard let number = Int(first), numbers.indices.contains(number) else { return nil }
    nodes.append(Node(measure: numbers[number], threshold: value, left: 0, right: 0))
    guard let left = read(&words, numbers, depth: depth + 1), let right = read(&words, numbers, depth: depth + 1)
    else { return nil }
    nodes[at].left = left
    nodes[at].right = right
    return Int32(at)
  }

  /// Returns the sum over all trees; `values` in the order of the names.
  func score(_ values: [Float]) -> Double {
    roots.reduce(0) { sum, root in
      var node = nodes[Int(root)]
      while node.measure >= 0 {
        node = nodes[Int(values[Int(node.measure)] <= node.threshold ? node.left : node.right)]
      }
      return sum + Double(node.threshold)
    }
  }
}
