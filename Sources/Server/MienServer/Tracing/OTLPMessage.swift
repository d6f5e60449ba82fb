internal import Tracing

/// Encodes spans as an `ExportTraceServiceRequest` of the OpenTelemetry protocol 1.x in JSON.
///
/// In JSON, IDs of traces and spans are hexadecimal, kinds and codes are numbers, and 64-bit numbers are strings.
enum OTLPMessage {
  /// The program that produced the spans.
  struct Program: Sendable {
    let version: String
    /// Unique name of this process run.
    let instance: String
  }

  /// Flags for a parent span in another process (`SpanFlags`).
  private static let knowsRemote = 0x100
  private static let isRemote = 0x200

  static func bytes(_ spans: [FinishedSpan], of program: Program) -> [UInt8] {
    let resource = attributes([
      ("service.name", .string("mien")), ("service.version", .string(program.version)),
      ("service.instance.id", .string(program.instance)),
    ])
    let text =
      "{\"resourceSpans\":[{\"resource\":{\"attributes\":\(resource)},\"scopeSpans\":[{\"scope\":{\"name\":\"mien\","
      + "\"version\":\(quoted(program.version))},\"spans\":[\(spans.map(span).joined(separator: ","))]}]}]}"
    return Array(text.utf8)
  }

  private static func span(_ span: FinishedSpan) -> String {
    var pairs: [(String, SpanAttribute)] = []
    span.attributes.forEach { pairs.append(($0, $1)) }
    pairs.sort { $0.0 < $1.0 }
    var fields = [
      "\"traceId\":\"\(span.place.trace.text)\"", "\"spanId\":\"\(TraceContext.hexadecimal(span.place.span))\"",
      "\"flags\":\(flags(span))", "\"name\":\(quoted(span.name))", "\"kind\":\(number(span.kind))",
      "\"startTimeUnixNano\":\"\(span.start)\"", "\"endTimeUnixNano\":\"\(span.end)\"",
      "\"attributes\":\(attributes(pairs))", span.hasFailed ? "\"status\":{\"code\":2}" : "\"status\":{}",
    ]
    if let parent = span.parent { fields.append("\"parentSpanId\":\"\(TraceContext.hexadecimal(parent.span))\"") }
    return "{\(fields.joined(separator: ","))}"
  }

  private static func flags(_ span: FinishedSpan) -> Int {
    (span.place.isSampled ? 1 : 0) | knowsRemote | (span.parent?.isRemote == true ? isRemote : 0)
  }

  private static func number(_ kind: SpanKind) -> Int {
    switch kind {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }

  private static func attributes(_ pairs: [(String, SpanAttribute)]) -> String {
    let written = pairs.compactMap { name, attribute in
      value(attribute).map { "{\"key\":\(quoted(name)),\"value\":{\($0)}}" }
    }
    return "[\(written.joined(separator: ","))]"
  }

  /// Returns `nil` for values that this program does not produce: lists and non-finite numbers.
  private static func value(_ attribute: SpanAttribute) -> String? {
    switch attribute {
    case .string(let text): "\"stringValue\":\(quoted(text))"
    case .int32(let number): "\"intValue\":\"\(number)\""
    case .int64(let number): "\"intValue\":\"\(number)\""
    case .double(let number): number.isFinite ? "\"doubleValue\":\(number)" : nil
    case .bool(let flag): "\"boolValue\":\(flag)"
    default: nil
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
