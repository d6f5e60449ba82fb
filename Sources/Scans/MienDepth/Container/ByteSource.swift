/// Where the bytes of a scan come from: memory, or a file that is read piece by piece.
public protocol ByteSource: Sendable {
  /// How many there are.
  var count: Int { get }
  /// The bytes of a range that lies within; fewer when they cannot be read any more.
  func bytes(_ range: Range<Int>) -> [UInt8]
}

/// Bytes that lie in memory.
public struct InMemoryByteSource: ByteSource {
  private let all: [UInt8]

  public init(_ bytes: [UInt8]) { all = bytes }

  public var count: Int { all.count }
  public func bytes(_ range: Range<Int>) -> [UInt8] { Array(all[range]) }
}

extension ByteSource {
  /// The bytes from `place` on, at most `count` of them, none behind the end.
  package func bytes(at place: Int, count wanted: Int) -> [UInt8] {
    guard place >= 0, place < count, wanted > 0 else { return [] }
    return bytes(place..<place + min(wanted, count - place))
  }
}
