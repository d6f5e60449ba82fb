import ArgumentParser
import MienRuntime
import MienServer

/// Trace export options.
struct TraceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Send traces to the OpenTelemetry collector at this address (OTLP over HTTP): http://127.0.0.1:4318.",
      valueName: "url"))
  var otlp: String?
  @Option(help: "Trace one in this many requests; a traceparent header takes precedence.")
  var otlpOneIn = 1

  func validate() throws {
    if let otlp, OTLPEndpoint(otlp) == nil { throw ValidationError(OTLPEndpoint.hint) }
    guard (1...1_000_000).contains(otlpOneIn) else { throw ValidationError("--otlp-one-in must be 1 to 1000000.") }
  }

  /// Settings; `nil` if tracing is not configured.
  var settings: TracingSettings? {
    otlp.flatMap { OTLPEndpoint($0) }.map { endpoint in
      TracingSettings(endpoint: endpoint, oneIn: otlpOneIn, version: MienCommand.configuration.version)
    }
  }
}
