internal import Crypto

/// SHA-256 of a part's bytes as they came.
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// Refuses (nil) anything but 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Refuses (nil) anything but 64 lower-case hexadecimal digits.
  public init?(hexadecimal: String) {
    guard let bytes = Hexadecimal.decode(hexadecimal) else { return nil }
    self.init(bytes: bytes)
  }

  public init(of bytes: [UInt8]) { self.bytes = Array(SHA256.hash(data: bytes)) }

  /// 64 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(bytes) }
}
