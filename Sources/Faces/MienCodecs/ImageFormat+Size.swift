extension ImageFormat {
  /// Returns a JPEG's stored size in pixels, before applying its EXIF orientation; `nil` if no frame header is found
  /// (ITU-T T.81, B.2.2). Nothing is decoded.
  public static func storedSize(ofJPEG bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard sniff(bytes) == .jpeg else { return nil }
    var place = 2
    while place + 9 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      // Fill bytes may precede a marker.
      guard marker != 0xFF else {
        place += 1
        continue
      }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      // Frame headers are C0 to CF, except the tables C4, C8 and CC.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        let height = Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
        let width = Int(bytes[place + 7]) << 8 | Int(bytes[place + 8])
        return width > 0 && height > 0 ? (width, height) : nil
      }
      guard marker != 0xDA, length >= 2 else { return nil }
      place += 2 + length
    }
    return nil
  }
}
