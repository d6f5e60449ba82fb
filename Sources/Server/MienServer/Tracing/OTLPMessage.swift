internal import Tracing

/// Spans as a collector takes them: `ExportTraceServiceRequest` of OpenTelemetry's protocol 1.x, in its JSON form.
///
/// There the ids of traces and spans are hexadecimal, kinds and codes are numbers, and numbers of 64 bits are written as texts.
enum OTLPMessage {
  /// The program that the spans are of.
  struct Program: Sendable {
    let version: String
    /// The name of this run.
    let instance: String
  }

  /// Where a span's parent may say that it is in another program (`SpanFlags`).
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

  /// Nil for what nothing here makes: lists, and numbers that JSON has no word for.
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
