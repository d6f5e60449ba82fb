internal import CZlib

/// Packs bytes by zlib.
enum Deflate {
  /// In zlib's own wrapper (RFC 1950), as PNGs hold it.
  static func wrapped(_ bytes: [UInt8]) -> [UInt8] {
    let most = Int(compressBound(UInt(bytes.count)))
    return unsafe [UInt8](unsafeUninitializedCapacity: most) { target, count in
      var length = UInt(most)
      let status = unsafe bytes.withUnsafeBufferPointer { source in
        unsafe compress2(target.baseAddress, &length, source.baseAddress, UInt(source.count), 6)
      }
      precondition(status == Z_OK, "there is room for what zlib says it needs at most")
      count = Int(length)
    }
  }

  /// Without a wrapper (RFC 1951), as ZIP archives hold it.
  static func bare(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    // Two bytes of head, which never names a dictionary here, and four of checksum.
    wrapped(bytes).dropFirst(2).dropLast(4)
  }
}
