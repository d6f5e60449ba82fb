/// Finds a bundle's records: by its index, and where there is none by walking through them. Whoever has the bytes hands
/// over those that are ``wanted``, until none are.
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
  /// Where it has not begun, it has found nothing.
  private(set) var walk: BundleRecoveryScanner

  /// - Parameters:
  ///   - start: where records begin.
  ///   - count: how many bytes the bundle has.
  package init(from start: Int, in count: Int) {
    self.start = start
    self.count = count
    stage = count - ScanFormat.trailerLength >= start ? .trailer : .walk
    walk = BundleRecoveryScanner(from: start, in: count)
  }

  /// Where the bytes lie that it goes on with, never more than the longest index; nil when all is found.
  package var wanted: Range<Int>? {
    switch stage {
    case .trailer: count - ScanFormat.trailerLength..<count
    case .index(let place): place
    case .indexed: nil
    case .walk: walk.wanted
    }
  }

  /// Takes the bytes that are ``wanted``; fewer when they cannot be read.
  package mutating func take(_ bytes: [UInt8]) {
    switch stage {
    case .trailer: stage = ScanIndex.place(by: bytes, from: start, in: count).map { Stage.index($0) } ?? .walk
    case .index(let place): stage = ScanIndex(bytes, at: place, from: start).map { Stage.indexed($0) } ?? .walk
    case .indexed: break
    case .walk: walk.take(bytes)
    }
  }

  /// The index that the records were found by; nil where they were walked through.
  var index: ScanIndex? {
    if case .indexed(let index) = stage { index } else { nil }
  }

  /// Walks, whatever the index says.
  mutating func leaveIndex() { stage = .walk }

  /// Takes what it wants from bytes at hand.
  mutating func run(over bytes: any ByteSource) {
    while let wanted { take(bytes.bytes(wanted)) }
  }
}
