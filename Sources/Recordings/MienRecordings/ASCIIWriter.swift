/// A growing ASCII text with platform-independent number formatting.
struct ASCIIWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: StaticString) {
    append(text.description)
  }

  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends `value / 10^digits` in decimal, without trailing zeros unless `isPadded`.
  mutating func append(_ value: Int64, digits: Int, isPadded: Bool = false) {
    var text: [UInt8] = []
    var left = value.magnitude
    var place = 0
    var isTrimming = !isPadded
    repeat {
      let digit = UInt8(left % 10)
      left /= 10
      if place == digits, place > 0, !isTrimming { text.append(UInt8(ascii: ".")) }
      if place >= digits || digit != 0 { isTrimming = false }
      if !isTrimming { text.append(UInt8(ascii: "0") + digit) }
      place += 1
    } while left > 0 || place <= digits
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(contentsOf: text.reversed())
  }

  /// Appends `value` rounded to `digits` decimals, ties to even as in C's `printf`; the caller ensures that it is
  /// finite and small.
  mutating func append(_ value: Float, digits: Int, isPadded: Bool = false) {
    append(Int64((Double(value) * powersOfTen[digits]).rounded(.toNearestOrEven)), digits: digits, isPadded: isPadded)
  }

  /// Appends `value` with at least `width` digits.
  mutating func append(_ value: Int64, width: Int) {
    let text = String(value)
    for _ in text.utf8.count..<max(width, text.utf8.count) { bytes.append(UInt8(ascii: "0")) }
    append(text)
  }
}
