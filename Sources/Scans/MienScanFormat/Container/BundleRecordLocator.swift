/// Locates the records of a bundle: by its index or, without one, by scanning. The caller supplies the ``wanted`` bytes
/// until it is nil.
package struct BundleRecordLocator: Sendable {
  private enum Stage: Sendable {
    case trailer
    case index(Range<Int>)
    case indexed(ScanIndex)
    case walk
  }

  private let start: Int
  private let count: Int
  private var stage: Stage
  /// Recovery scanner; it has no records unless scanning has started.
  private(set) var walk: BundleRecoveryScanner

  /// - Parameters:
  ///   - start: offset of the first record.
  ///   - count: size of the bundle in bytes.
  package init(from start: Int, in count: Int) {
    self.start = start
    self.count = count
    stage = count - ScanFormat.trailerLength >= start ? .trailer : .walk
    walk = BundleRecoveryScanner(from: start, in: count)
  }

  /// Byte range needed next, never longer than the longest index; nil when done.
  package var wanted: Range<Int>? {
    switch stage {
    case .trailer: count - ScanFormat.trailerLength..<count
    case .index(let place): place
    case .indexed: nil
    case .walk: walk.wanted
    }
  }

  /// Accepts the ``wanted`` bytes; fewer if they cannot be read.
  package mutating func take(_ bytes: [UInt8]) {
    switch stage {
    case .trailer: stage = ScanIndex.place(by: bytes, from: start, in: count).map { Stage.index($0) } ?? .walk
    case .index(let place): stage = ScanIndex(bytes, at: place, from: start).map { Stage.indexed($0) } ?? .walk
    case .indexed: break
    case .walk: walk.take(bytes)
    }
  }

  /// Index used to locate the records; nil if they were found by scanning.
  var index: ScanIndex? {
    if case .indexed(let index) = stage { index } else { nil }
  }

  /// Switches to scanning, ignoring the index.
  mutating func leaveIndex() { stage = .walk }

  /// Runs to completion on available bytes.
  mutating func run(over bytes: any ByteSource) {
    while let wanted { take(bytes.bytes(wanted)) }
  }
}
