import MienTestGenerators
import Foundation
import MienPlatform
import MienTestSupport
import NIOCore
import Testing
import Tracing

@testable import MienServer

@Suite struct `Trace exporter` {
  private static func span(
    _ name: String, kind: SpanKind = .internal, parent: TraceContext? = nil, attributes: SpanAttributes = [:],
    hasFailed: Bool = false
  ) -> FinishedSpan {
    let place = TraceContext(trace: .init(first: 0xab, last: 2), span: 3, isSampled: true)
    return FinishedSpan(
      name: name, kind: kind, place: place, parent: parent, start: 1_700_000_000_000_000_000,
      end: 1_700_000_000_000_000_250, attributes: attributes, hasFailed: hasFailed)
  }

  // MARK: - Encoding

  @Test func `spans are encoded as the protocol requires`() throws {
    let parent = TraceContext(trace: .init(first: 0xab, last: 2), span: 9, isSampled: true, isRemote: true)
    let spans = [
      Self.span(
        "POST /v1/checks", kind: .server, parent: parent,
        attributes: ["b": 503, "a": "one \"two\" \\ \n\u{1} é", "c": 1.5, "d": true], hasFailed: true),
      Self.span("scan.work"),
    ]
    let bytes = OTLPMessage.bytes(spans, of: OTLPMessage.Program(version: "0.1.0", instance: "run-1"))
    let ids = #""traceId":"00000000000000ab0000000000000002","spanId":"0000000000000003""#
    let times = #""startTimeUnixNano":"1700000000000000000","endTimeUnixNano":"1700000000000000250""#
    let wanted = [
      #"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"mien"}},"#,
      #"{"key":"service.version","value":{"stringValue":"0.1.0"}},"#,
      #"{"key":"service.instance.id","value":{"stringValue":"run-1"}}]},"#,
      #""scopeSpans":[{"scope":{"name":"mien","version":"0.1.0"},"spans":["#,
      #"{\#(ids),"flags":769,"name":"POST /v1/checks","kind":2,\#(times),"attributes":["#,
      #"{"key":"a","value":{"stringValue":"one \"two\" \\ \u000a\u0001 é"}},{"key":"b","value":{"intValue":"503"}},"#,
      #"{"key":"c","value":{"doubleValue":1.5}},{"key":"d","value":{"boolValue":true}}],"status":{"code":2},"#,
      #""parentSpanId":"0000000000000009"},"#,
      #"{\#(ids),"flags":257,"name":"scan.work","kind":1,\#(times),"attributes":[],"status":{}}]}]}]}"#,
    ]
    #expect(String(decoding: bytes, as: UTF8.self) == wanted.joined())
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
  }

  @Test(arguments: [
    ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
    ("https://otel.example/", "https://otel.example/v1/traces"),
    ("http://[::1]:4318/tenant", "http://[::1]:4318/tenant/v1/traces"),
    ("http://otel.example/v1/traces", "http://otel.example/v1/traces"),
  ]) func `spans are sent to the configured endpoint`(text: String, url: String) {
    #expect(OTLPEndpoint(text)?.url == url)
  }

  @Test(arguments: [
    "", "127.0.0.1:4318", "otel.example", "grpc://otel.example:4317", "http://", "http:///v1",
    "http://u:p@otel.example",
    "http://u@otel.example", "http://otel.example?key=1", "http://otel.example#x", "http://otel example",
    "file:///tmp/x",
  ]) func `an invalid endpoint is rejected`(text: String) {
    #expect(OTLPEndpoint(text) == nil)
  }

  // MARK: - Buffering

  @Test func `spans beyond the queue limit are dropped and counted`() {
    let queue = SpanBuffer(capacity: 3)
    for number in 0..<5 { queue.add(Self.span("\(number)")) }
    #expect(queue.counts == SpanBuffer.Counts(sent: 0, dropped: 2))
    #expect(queue.take(atMost: 2).map(\.name) == ["0", "1"])
    queue.add(Self.span("5"))
    #expect(queue.take(atMost: 9).map(\.name) == ["2", "5"])
    #expect(queue.take(atMost: 9).isEmpty)
  }

  private func exporter(_ target: LocalTarget, waiting: Int = 100) throws -> TraceExporter {
    var limits = TraceExporter.Limits()
    // Long timeouts for busy machines: other suites run in parallel.
    (limits.connecting, limits.whole) = (.hours(1), .hours(1))
    (limits.waiting, limits.together) = (waiting, 2)
    return TraceExporter(
      try #require(OTLPEndpoint("http://127.0.0.1:\(target.port)")), oneIn: 1, version: "0.1.0", instance: "run-1",
      generator: SplitMixGenerator(seed: 1), limits: limits)
  }

  private func trace(_ count: Int, by exporter: TraceExporter) async throws {
    for _ in 0..<count { try await exporter.traces.job("job") {} }
  }

  @Test func `spans are sent in batches`() async throws {
    let target = try await LocalTarget(.takes)
    let exporter = try exporter(target)
    #expect(await exporter.send() == .done)
    #expect(target.requests.isEmpty, "an empty buffer sends no message")
    try await trace(5, by: exporter)
    #expect(await exporter.send() == .done)
    #expect(target.requests.count == 3)
    let first = try #require(target.requests.first)
    #expect(first.hasPrefix("POST /v1/traces HTTP/1.1\r\n") && first.contains("\r\ncontent-type: application/json\r\n"))
    #expect(first.split(separator: "\"spanId\"").count == 3, "a message contains two spans")
    #expect(!first.lowercased().contains("traceparent"))
    #expect(exporter.counts == SpanBuffer.Counts(sent: 5, dropped: 0))
    try await target.close()
  }

  @Test func `spans are kept up to the limit while the collector asks for a delay`() async throws {
    let busy = try await LocalTarget(.wantsTime)
    let exporter = try exporter(busy, waiting: 3)
    try await trace(2, by: exporter)
    #expect(await exporter.send() == .away)
    #expect(await exporter.send() == .away)
    #expect(busy.requests.count == 2 && Set(busy.requests).count == 1, "the same message is sent again")
    try await trace(5, by: exporter)
    #expect(exporter.counts == SpanBuffer.Counts(sent: 0, dropped: 2), "two are being sent and three are buffered")
    try await busy.close()
  }

  @Test(arguments: [TracingTargetConformance.refuses, .gone]) func `spans rejected by the collector are dropped`(
    conduct: TracingTargetConformance
  ) async throws {
    let target = try await LocalTarget(conduct)
    let exporter = try exporter(target)
    try await trace(1, by: exporter)
    #expect(await exporter.send() == .refused(status: conduct == .gone ? 410 : 500))
    #expect(await exporter.send() == .done)
    #expect(exporter.counts == SpanBuffer.Counts(sent: 0, dropped: 1))
    try await target.close()
  }

  @Test(arguments: [TracingTargetConformance.closes, .talksNonsense])
  func `spans are kept while the collector does not respond`(
    conduct: TracingTargetConformance
  ) async throws {
    let target = try await LocalTarget(conduct)
    let exporter = try exporter(target)
    try await trace(1, by: exporter)
    #expect(await exporter.send() == .away)
    try await target.close()
    #expect(await exporter.send() == .away)
    #expect(exporter.counts == SpanBuffer.Counts())
  }

  // MARK: - Metrics

  @Test func `metrics are rendered only with tracing enabled`() {
    #expect(TraceMetrics.render(nil).isEmpty)
    let text = TraceMetrics.render(SpanBuffer.Counts(sent: 3, dropped: 1))
    #expect(text.hasSuffix("mien_spans_total{outcome=\"sent\"} 3\nmien_spans_total{outcome=\"dropped\"} 1\n"))
  }
}
