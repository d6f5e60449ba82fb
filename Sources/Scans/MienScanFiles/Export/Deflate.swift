internal import CZlib

/// Compresses bytes with zlib.
enum Deflate {
  /// Compresses with zlib's wrapper (RFC 1950), as used in PNG.
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

  /// Compresses without a wrapper (RFC 1951), as used in ZIP archives.
  static func bare(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    // A header of two bytes, which never has a dictionary here, and a checksum of four bytes.
    wrapped(bytes).dropFirst(2).dropLast(4)
  }
}
