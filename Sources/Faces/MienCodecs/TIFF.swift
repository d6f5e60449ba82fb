/// The directories of a TIFF, in the byte order that it names (TIFF 6.0); only what EXIF needs of them.
struct TIFF {
  private let bytes: ArraySlice<UInt8>
  private let bigEndian: Bool

  /// Nil without the header of one.
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

  /// One value of a directory.
  struct Entry {
    fileprivate let tiff: TIFF
    fileprivate let type: Int
    fileprivate let count: Int
    /// Where the four bytes lie that are the value or lead to it.
    fileprivate let place: Int

    /// One whole number of two bytes.
    var short: Int? { type == 3 ? tiff.short(at: place) : nil }

    /// One whole number of four bytes.
    var long: Int? { type == 4 ? tiff.long(at: place) : nil }

    /// A text of at most 64 bytes in ASCII, up to its end.
    var text: String? {
      guard type == 2, (1...64).contains(count), let start = count <= 4 ? place : tiff.long(at: place),
        let content = tiff.content(start, count)
      else { return nil }
      let text = content.prefix { $0 != 0 }
      return text.allSatisfy { $0 < 128 } ? String(decoding: text, as: UTF8.self) : nil
    }

    /// So many fractions, none below 0; nil when one is divided by 0.
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

  /// The entries of a directory by their tags, the first of each; nil where there is none.
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
