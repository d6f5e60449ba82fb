internal import Tracing

/// Trace and span IDs as defined by W3C Trace Context for the header `traceparent`.
struct TraceContext: Hashable, Sendable {
  /// Key of the context value.
  enum Key: InstrumentationContextKey { typealias Value = TraceContext }

  /// 128-bit trace ID, never zero.
  let trace: Trace
  /// Span ID, never zero.
  let span: UInt64
  /// `true` if the span is recorded.
  let isSampled: Bool
  /// `true` if the context was received from another process.
  let isRemote: Bool

  struct Trace: Hashable, Sendable {
    let first: UInt64
    let last: UInt64

    /// 32 hexadecimal digits.
    var text: String { TraceContext.hexadecimal(first) + TraceContext.hexadecimal(last) }
  }

  init(trace: Trace, span: UInt64, isSampled: Bool, isRemote: Bool = false) {
    self.trace = trace
    self.span = span
    self.isSampled = isSampled
    self.isRemote = isRemote
  }

  /// Parses the header; returns `nil` if it is invalid. Of future versions, the fields that they promise to preserve
  /// are parsed.
  init?(traceparent text: String) {
    let bytes = Array(text.utf8.prefix(56))
    let dash = UInt8(ascii: "-")
    guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
      let version = Self.number(bytes[0..<2]), let first = Self.number(bytes[3..<19]),
      let last = Self.number(bytes[19..<35]), let span = Self.number(bytes[36..<52]),
      let flags = Self.number(bytes[53..<55])
    else { return nil }
    guard version != 0xff, bytes.count == 55 || version != 0 && bytes[55] == dash else { return nil }
    guard first | last != 0, span != 0 else { return nil }
    self.init(trace: Trace(first: first, last: last), span: span, isSampled: flags & 1 == 1, isRemote: true)
  }

  /// Value of the header.
  var traceparent: String { "00-\(trace.text)-\(Self.hexadecimal(span))-0\(isSampled ? 1 : 0)" }

  /// Returns 16 hexadecimal digits.
  static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Parses up to 16 hexadecimal digits, which the standard requires to be lowercase.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
      default: return nil
      }
    }
    return number
  }
}
