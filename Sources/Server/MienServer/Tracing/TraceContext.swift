internal import Tracing

/// Where a span stands: in which trace, and under which name, as W3C's Trace Context has it in the header `traceparent`.
struct TraceContext: Hashable, Sendable {
  /// Where a tracer finds it.
  enum Key: InstrumentationContextKey { typealias Value = TraceContext }

  /// The first and the last half of the trace's 128 bits, never both zero.
  let trace: Trace
  /// Never zero.
  let span: UInt64
  /// Whether somebody wants it written down.
  let isSampled: Bool
  /// True of what another program says.
  let isRemote: Bool

  struct Trace: Hashable, Sendable {
    let first: UInt64
    let last: UInt64

    /// 32 digits.
    var text: String { TraceContext.hexadecimal(first) + TraceContext.hexadecimal(last) }
  }

  init(trace: Trace, span: UInt64, isSampled: Bool, isRemote: Bool = false) {
    self.trace = trace
    self.span = span
    self.isSampled = isSampled
    self.isRemote = isRemote
  }

  /// Reads the header; nil for whatever is not just as it must be. Of versions to come that much is read which they promise to keep.
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

  /// The header.
  var traceparent: String { "00-\(trace.text)-\(Self.hexadecimal(span))-0\(isSampled ? 1 : 0)" }

  /// 16 digits.
  static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Up to 16 digits, in lower case as the standard wants them.
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
