/// Source of a scan's bytes: memory, or a file read in pieces.
public protocol ByteSource: Sendable {
  /// Size in bytes.
  var count: Int { get }
  /// Returns the bytes of a range within the source; fewer if they can no longer be read.
  func bytes(_ range: Range<Int>) -> [UInt8]
}

/// Bytes in memory.
public struct InMemoryByteSource: ByteSource {
  private let all: [UInt8]

  public init(_ bytes: [UInt8]) { all = bytes }

  public var count: Int { all.count }
  public func bytes(_ range: Range<Int>) -> [UInt8] { Array(all[range]) }
}

extension ByteSource {
  /// Returns at most `count` bytes from `place` on, without exceeding the end.
  package func bytes(at place: Int, count wanted: Int) -> [UInt8] {
    guard place >= 0, place < count, wanted > 0 else { return [] }
    return bytes(place..<place + min(wanted, count - place))
  }
}
