import MienCore

/// A SMPTE-like timecode `HH:MM:SS:FF`, with an optional fraction of a frame: `11:54:29:19.804`.
struct Timecode: Hashable {
  /// Whole seconds since midnight, 0…86,399.
  var second: Int
  /// The frame within the second, from 0, in billionths of a frame.
  var frame: Int64

  static let secondsOfDay = 86_400
  private static let unit: Int64 = 1_000_000_000

  /// The whole frame within the second.
  var wholeFrame: Int { Int(frame / Self.unit) }

  /// Parses the timecode in `field`.
  init(_ text: Span<UInt8>, _ field: Range<Int>, line: Int, lineStart: Int) throws(RecordingError) {
    var at = field.lowerBound
    func fault(_ code: RecordingError.Code, _ reason: String) -> RecordingError {
      RecordingError(code, line: line, byte: at - lineStart, reason)
    }
    func digits(upTo most: Int) throws(RecordingError) -> Int {
      let start = at
      var value = 0
      while at < field.upperBound, at - start < most {
        let digit = text[at] &- UInt8(ascii: "0")
        guard digit < 10 else { break }
        value = value * 10 + Int(digit)
        at += 1
      }
      guard at > start else { throw fault(.malformed, "a timecode is HH:MM:SS:FF with an optional fraction") }
      return value
    }
    func colon() throws(RecordingError) {
      guard at < field.upperBound, text[at] == UInt8(ascii: ":") else {
        throw fault(.malformed, "a timecode is HH:MM:SS:FF with an optional fraction")
      }
      at += 1
    }
    let hour = try digits(upTo: 2)
    try colon()
    let minute = try digits(upTo: 2)
    try colon()
    let second = try digits(upTo: 2)
    try colon()
    guard hour < 24, minute < 60, second < 60 else {
      at = field.lowerBound
      throw fault(.numberOutOfRange, "a timecode goes from 00:00:00 to 23:59:59")
    }
    var frame = Int64(try digits(upTo: 3)) * Self.unit
    if at < field.upperBound, text[at] == UInt8(ascii: ".") {
      at += 1
      let start = at
      var fraction = Int64(try digits(upTo: 9))
      for _ in (at - start)..<9 { fraction *= 10 }
      frame += fraction
    }
    guard at == field.upperBound else { throw fault(.malformed, "more text after a timecode") }
    self.second = hour * 3600 + minute * 60 + second
    self.frame = frame
  }

  /// Converts an instant with a precision of a thousandth of a frame, the same as the app's; days are dropped.
  init(_ instant: MonotonicInstant, frameRate: Double) {
    let nanoseconds = instant.nanoseconds % Self.unit
    second = Int(instant.nanoseconds / Self.unit) % Self.secondsOfDay
    let thousandths = (Double(nanoseconds) * frameRate / 1e6).rounded()
    frame = Int64(thousandths) * 1_000_000
    // The last thousandth of a second may round up to the next second, in which frames start from 0 again.
    if Double(frame) >= frameRate * 1e9 {
      frame = 0
      second = (second + 1) % Self.secondsOfDay
    }
  }

  /// Maximum duration of a recording in days: longer ones indicate a file with jumps, and much longer ones exceed the
  /// range of instants.
  static let mostDays = 366

  /// Returns the time since the midnight before day 0; `nil` if the frame does not exist at this frame rate, or the day
  /// is not below ``mostDays``.
  func instant(day: Int, frameRate: Double) -> MonotonicInstant? {
    guard (0..<Self.mostDays).contains(day), Double(frame) < (frameRate.rounded(.up)) * 1e9 else { return nil }
    // A frame is within its second, except for the remainder of a fractional frame rate.
    let place = (Double(frame) / frameRate).rounded()
    guard place < 2e9 else { return nil }
    let within = Int64(place)
    return MonotonicInstant(nanoseconds: Int64(day * Self.secondsOfDay + second) * Self.unit + within)
  }

  /// Appends `HH:MM:SS:FF.fff`.
  func write(to text: inout ASCIIWriter) {
    text.append(Int64(second / 3600), width: 2)
    text.append(":")
    text.append(Int64(second / 60 % 60), width: 2)
    text.append(":")
    text.append(Int64(second % 60), width: 2)
    text.append(":")
    text.append(Int64(wholeFrame), width: 2)
    text.append(".")
    text.append(frame % Self.unit / 1_000_000, width: 3)
  }
}
