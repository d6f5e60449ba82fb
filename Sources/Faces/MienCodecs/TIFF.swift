/// Parses TIFF directories in either byte order (TIFF 6.0); only the parts that EXIF needs.
struct TIFF {
  private let bytes: ArraySlice<UInt8>
  private let bigEndian: Bool

  /// Returns `nil` without a TIFF header.
  init?(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
      bigEndian = true
    } else if bytes.starts(with: [0x49, 0x49, 42, 0]) {
      bigEndian = false
    } else {
      return nil
    }
  }

  /// A directory entry.
  struct Entry {
    fileprivate let tiff: TIFF
    fileprivate let type: Int
    fileprivate let count: Int
    /// Offset of the four bytes that contain the value or its offset.
    fileprivate let place: Int

    /// A single two-byte integer.
    var short: Int? { type == 3 ? tiff.short(at: place) : nil }

    /// A single four-byte integer.
    var long: Int? { type == 4 ? tiff.long(at: place) : nil }

    /// An ASCII text of at most 64 bytes, up to its terminator.
    var text: String? {
      guard type == 2, (1...64).contains(count), let start = count <= 4 ? place : tiff.long(at: place),
        let content = tiff.content(start, count)
      else { return nil }
      let text = content.prefix { $0 != 0 }
      return text.allSatisfy { $0 < 128 } ? String(decoding: text, as: UTF8.self) : nil
    }

    /// Returns exactly `number` nonnegative fractions; `nil` if a denominator is 0.
    func fractions(_ number: Int) -> [Double]? {
      guard type == 5, count == number, let start = tiff.long(at: place) else { return nil }
      var values: [Double] = []
      for index in 0..<number {
        guard let above = tiff.long(at: start + 8 * index), let below = tiff.long(at: start + 8 * index + 4), below > 0
        else { return nil }
        values.append(Double(above) / Double(below))
      }
      return values
    }
  }

  /// Returns a directory's entries by tag, the first of each; `nil` if there is no directory.
  func directory(at place: Int?) -> [Int: Entry]? {
    guard let place, let count = short(at: place) else { return nil }
    var entries: [Int: Entry] = [:]
    for number in 0..<count {
      let at = place + 2 + number * 12
      guard let tag = short(at: at), let type = short(at: at + 2), let length = long(at: at + 4) else { break }
      if entries[tag] == nil { entries[tag] = Entry(tiff: self, type: type, count: length, place: at + 8) }
    }
    return entries
  }

  func short(at place: Int) -> Int? {
    guard place >= 0, place + 2 <= bytes.count else { return nil }
    let (first, second) = (Int(bytes[bytes.startIndex + place]), Int(bytes[bytes.startIndex + place + 1]))
    return bigEndian ? first << 8 | second : second << 8 | first
  }

  func long(at place: Int) -> Int? {
    guard let first = short(at: place), let second = short(at: place + 2) else { return nil }
    return bigEndian ? first << 16 | second : second << 16 | first
  }

  private func content(_ start: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard start >= 0, count <= bytes.count, start <= bytes.count - count else { return nil }
    return bytes[(bytes.startIndex + start)..<(bytes.startIndex + start + count)]
  }
}
