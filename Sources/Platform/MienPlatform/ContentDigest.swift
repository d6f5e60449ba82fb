internal import MienCore
internal import Crypto

/// SHA-256 of a part's bytes, as received.
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// Returns `nil` unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Returns `nil` unless the text is 64 lowercase hexadecimal digits.
  public init?(hexadecimal: String) {
    guard let bytes = Hexadecimal.decode(hexadecimal) else { return nil }
    self.init(bytes: bytes)
  }

  public init(of bytes: [UInt8]) { self.bytes = Array(SHA256.hash(data: bytes)) }

  /// 64 lowercase hexadecimal digits.
  public var description: String { Hexadecimal.encode(bytes) }

  /// Computes the digest of bytes that are received in pieces.
  public struct Running: Sendable {
    private var hash = SHA256()

    public init() {}

    public mutating func take(_ bytes: ArraySlice<UInt8>) {
      hash.update(data: bytes)
    }

    /// Digest of all bytes so far.
    public var digest: ContentDigest { ContentDigest(finished: hash.finalize()) }
  }

  private init(finished: SHA256.Digest) { bytes = Array(finished) }
}

extension ContentDigest: Codable {
  public init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    guard let digest = ContentDigest(hexadecimal: try box.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: box, debugDescription: "no digest")
    }
    self = digest
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(description)
  }
}
