internal import CZlib

/// Compresses and decompresses bytes with zlib.
public enum Deflate {
  /// Compresses with zlib's wrapper (RFC 1950), as used in PNG.
  public static func wrapped(_ bytes: [UInt8]) -> [UInt8] { compressed(bytes, windowBits: 15, level: 6) }

  /// Compresses without a wrapper (RFC 1951), as used in ZIP archives.
  public static func bare(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    // A header of two bytes, which never has a dictionary here, and a checksum of four bytes.
    wrapped(bytes).dropFirst(2).dropLast(4)
  }

  /// Compresses in the gzip format (RFC 1952), as used by HTTP. The same bytes give the same result.
  ///
  /// - Parameter level: 1 (fast) to 9 (small).
  public static func gzip(_ bytes: [UInt8], level: Int = 6) -> [UInt8] {
    // zlib adds 16 to the window bits for the format of gzip.
    compressed(bytes, windowBits: 15 + 16, level: level)
  }

  /// Decompresses bytes without a wrapper (RFC 1951); returns exactly `size` bytes, or `nil`.
  public static func decompressed(bare packed: ArraySlice<UInt8>, size: Int) -> [UInt8]? {
    var isWhole = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
      count = 0
      var stream = unsafe z_stream()
      // Negative window bits: a raw deflate stream without a wrapper, as in archives.
      guard unsafe inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return }
      defer { _ = unsafe inflateEnd(&stream) }
      unsafe packed.withUnsafeBufferPointer { source in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(size)
        let status = unsafe inflate(&stream, Z_FINISH)
        isWhole = unsafe status == Z_STREAM_END && stream.avail_out == 0
        count = isWhole ? size : 0
      }
    }
    return isWhole ? bytes : nil
  }

  private static func compressed(_ bytes: [UInt8], windowBits: Int32, level: Int) -> [UInt8] {
    // The header and the trailer of gzip are 12 bytes longer than those that zlib counts.
    let most = Int(compressBound(UInt(bytes.count))) + 12
    return unsafe [UInt8](unsafeUninitializedCapacity: most) { target, count in
      var stream = unsafe z_stream()
      var status = unsafe deflateInit2_(
        &stream, Int32(level), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
      precondition(status == Z_OK, "the settings are valid, and zlib needs 256 KB")
      defer { _ = unsafe deflateEnd(&stream) }
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.avail_in = UInt32(source.count)
        unsafe stream.next_out = target.baseAddress
        unsafe stream.avail_out = UInt32(most)
        status = unsafe deflate(&stream, Z_FINISH)
      }
      precondition(status == Z_STREAM_END, "there is room for what zlib needs at most")
      count = unsafe most - Int(stream.avail_out)
    }
  }
}
