/// A parsed JSON number: `mantissa * 10^exponent` and the range of its text.
///
/// The mantissa holds the first 19 significant digits; further digits only change the exponent.
struct DecimalNumber {
  var mantissa: UInt64
  var exponent: Int
  var isNegative: Bool
  /// Range of the number's text, for the slow path.
  var text: Range<Int>

  /// Returns the nearest `Float`, correctly rounded; infinite if too large.
  ///
  /// `Double(mantissa)` and one multiplication or division by an exact power of ten each have an error of at most half
  /// a unit in the last place, so the `Double` is within 2 units of the exact value. Rounding it to `Float` can only be
  /// wrong if it is that close to the midpoint between two floats: these few numbers take the slow path (W. D. Clinger,
  /// "How to read floating point numbers accurately", 1990).
  @inline(__always)
  func float(in text: Span<UInt8>) -> Float {
    guard mantissa != 0 else { return isNegative ? -0.0 : 0.0 }
    guard exponent >= -22, exponent <= 22 else { return slowFloat(in: text) }
    let magnitude =
      exponent < 0 ? Double(mantissa) / powersOfTen[-exponent] : Double(mantissa) * powersOfTen[exponent]
    let tail = magnitude.bitPattern & 0x1FFF_FFFF
    guard tail < 0x0FFF_FFFC || tail > 0x1000_0004 else { return slowFloat(in: text) }
    return Float(isNegative ? -magnitude : magnitude)
  }

  /// Returns the nearest `Float` using the standard library's parser, for the rare numbers that need all their digits.
  @inline(never)
  private func slowFloat(in text: Span<UInt8>) -> Float {
    var bytes: [UInt8] = []
    for index in self.text { bytes.append(text[index]) }
    return Float(String(decoding: bytes, as: UTF8.self)) ?? .nan
  }

  /// The value as a `Double`, within two units in the last place; infinite if too large.
  var double: Double {
    guard mantissa != 0 else { return 0.0 }
    var value = Double(mantissa)
    var left = min(max(exponent, -400), 400)
    while left > 0 {
      value *= powersOfTen[min(left, 22)]
      left -= min(left, 22)
    }
    while left < 0 {
      value /= powersOfTen[min(-left, 22)]
      left += min(-left, 22)
    }
    return isNegative ? -value : value
  }

  /// Returns the number as an integer multiple of `10^-digits`, rounded half up in magnitude; `nil` beyond ±9·10^18.
  func scaled(toDigits digits: Int) -> Int64? {
    guard mantissa != 0 else { return 0 }
    var magnitude = mantissa
    var shift = exponent + digits
    guard shift < 19 else { return nil }
    while shift > 0 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      magnitude = product
      shift -= 1
    }
    if shift < 0 {
      guard shift > -20 else { return 0 }
      var divisor: UInt64 = 1
      for _ in 0..<(-shift) { divisor *= 10 }
      let remainder = magnitude % divisor
      magnitude /= divisor
      if remainder >= divisor - remainder { magnitude += 1 }
    }
    guard magnitude <= 9_000_000_000_000_000_000 else { return nil }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// The number as an integer; `nil` if it has a fraction or is beyond ±9·10^18.
  var integer: Int? {
    guard let whole = scaled(toDigits: 0) else { return nil }
    guard exponent < 0 else { return Int(whole) }
    // 2.0 and 20e-1 are integers too: dropping the digits after the point must not change the value.
    guard exponent > -20, mantissa != 0 else { return mantissa == 0 ? 0 : nil }
    var divisor: UInt64 = 1
    for _ in 0..<(-exponent) { divisor *= 10 }
    return mantissa % divisor == 0 ? Int(whole) : nil
  }
}

/// 10^0…10^22, all exact as `Double`.
let powersOfTen: ContiguousArray<Double> = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]

/// Parses a number in JSON syntax (RFC 8259, section 6).
@inline(__always)
func scanNumber(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> DecimalNumber {
  let start = cursor.at
  let count = text.count
  var at = start
  var mantissa: UInt64 = 0
  var digits = 0
  var exponent = 0
  var isNegative = false
  if at < count, text[at] == UInt8(ascii: "-") {
    isNegative = true
    at &+= 1
  }
  let firstDigit = at
  while at < count {
    let digit = text[at] &- UInt8(ascii: "0")
    guard digit < 10 else { break }
    if digits < 19 {
      mantissa = mantissa &* 10 &+ UInt64(digit)
      if mantissa != 0 { digits &+= 1 }
    } else {
      exponent &+= 1
    }
    at &+= 1
  }
  guard at > firstDigit else { throw numberFault(text, start, cursor) }
  if text[firstDigit] == UInt8(ascii: "0"), at > firstDigit + 1 {
    throw cursor.error(.malformed, at: firstDigit, "a number starts with a superfluous 0")
  }
  if at < count, text[at] == UInt8(ascii: ".") {
    at &+= 1
    let firstDecimal = at
    while at < count {
      let digit = text[at] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      if digits < 19 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        if mantissa != 0 { digits &+= 1 }
        exponent &-= 1
      }
      at &+= 1
    }
    guard at > firstDecimal else {
      throw cursor.error(at < count ? .malformed : .truncated, at: at, "a digit is missing after the decimal point")
    }
  }
  if at < count, text[at] | 0x20 == UInt8(ascii: "e") {
    exponent += try scanExponent(text, &at, cursor)
  }
  cursor.at = at
  return DecimalNumber(mantissa: mantissa, exponent: exponent, isNegative: isNegative, text: start..<at)
}

/// Parses `e`, a sign and digits; the value is clamped to ±100,000, far beyond every valid range.
@inline(never)
private func scanExponent(_ text: Span<UInt8>, _ at: inout Int, _ cursor: TextPosition) throws(RecordingError) -> Int {
  at += 1
  var isNegative = false
  if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
    isNegative = text[at] == UInt8(ascii: "-")
    at += 1
  }
  let first = at
  var value = 0
  while at < text.count {
    let digit = text[at] &- UInt8(ascii: "0")
    guard digit < 10 else { break }
    value = min(value * 10 + Int(digit), 100_000)
    at += 1
  }
  guard at > first else {
    throw cursor.error(at < text.count ? .malformed : .truncated, at: at, "a digit is missing in an exponent")
  }
  return isNegative ? -value : value
}

/// Returns the error for text that is not a number.
@inline(never)
private func numberFault(_ text: Span<UInt8>, _ start: Int, _ cursor: TextPosition) -> RecordingError {
  var at = start
  if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") { at += 1 }
  guard at < text.count else { return cursor.error(.truncated, at: at, "the text ends where a number should be") }
  switch text[at] {
  case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "i"):
    return cursor.error(.malformed, at: start, "NaN and Infinity are not numbers here")
  case UInt8(ascii: "n") where at + 1 < text.count && text[at + 1] | 0x20 == UInt8(ascii: "a"):
    return cursor.error(.malformed, at: start, "NaN and Infinity are not numbers here")
  case UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"),
    UInt8(ascii: "n"):
    return cursor.error(.wrongType, at: start, "a number is expected here")
  default: return cursor.error(.malformed, at: start, "not a number")
  }
}
