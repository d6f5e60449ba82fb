import MienTestGenerators
import Foundation
import MienCore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity

/// Request signed by botocore 1.44.5 with a key of 40 `a` on 2026-02-28 at 23:59:59 UTC.
private let signed: [(name: String, value: String)] = [
  ("host", "liveness.example:8080"), ("content-type", "application/x-amz-json-1.1"),
  ("x-amz-target", "RekognitionService.CreateFaceLivenessSession"), ("x-amz-note", "  two   words "),
  ("x-amz-date", "20260228T235959Z"),
  (
    "authorization",
    "AWS4-HMAC-SHA256 Credential=MIENEXAMPLEEXAMPLE77/20260228/eu-central-1/rekognition/aws4_request, "
      + "SignedHeaders=content-type;host;x-amz-date;x-amz-note;x-amz-target, "
      + "Signature=e53c7fe0eddce75087e3279bb29c5d6909ad143164244bc2bbafab15af6eb918"
  ),
]
private let moment = UnixTime(milliseconds: 1_772_323_199_000)

private func request(_ changes: [String: String] = [:], body: String = #"{"ClientRequestToken":"one"}"#)
  -> SignedRequest
{
  SignedRequest(
    method: "POST", path: "/", query: nil, headers: signed.map { ($0.name, changes[$0.name] ?? $0.value) },
    body: Array(body.utf8))
}

private func verify(_ request: SignedRequest, secret: Character = "a", now: UnixTime = moment) throws(AWSError) {
  try SigV4(request).verify(request, secret: Array(String(repeating: secret, count: 40).utf8), now: now)
}

@Suite struct `AWS Signature Version 4` {
  @Test func `a request signed by botocore is accepted`() throws {
    try verify(request())
    #expect(try SigV4(request()).accessKey == "MIENEXAMPLEEXAMPLE77")
  }

  @Test(arguments: [-901, -900, 0, 900, 901]) func `timestamps are accepted within 15 minutes in both directions`(
    seconds: Int
  ) throws {
    let now = UnixTime(milliseconds: moment.milliseconds + Int64(seconds) * 1000)
    guard abs(seconds) > 900 else { return try verify(request(), now: now) }
    let fault = #expect(throws: AWSError.self) { try verify(request(), now: now) }
    #expect(fault?.kind == .invalidSignature)
  }

  @Test func `another secret, body, header or value order is rejected`() {
    let others = [
      request(body: #"{"ClientRequestToken":"two"}"#), request(["x-amz-note": "two  wards"]),
      request(["host": "liveness.example"]), request(["x-amz-target": "RekognitionService.Other"]),
      request(["content-type": "text/plain"]),
    ]
    for other in others {
      let fault = #expect(throws: AWSError.self) { try verify(other) }
      #expect(fault?.kind == .invalidSignature)
    }
    let fault = #expect(throws: AWSError.self) { try verify(request(), secret: "b") }
    #expect(fault?.kind == .invalidSignature)
  }

  @Test func `a wrong clock is not reported without a valid signature`() {
    let late = UnixTime(milliseconds: moment.milliseconds + 3_600_000)
    let fault = #expect(throws: AWSError.self) { try verify(request(), secret: "b", now: late) }
    #expect(fault?.message.contains("clock") == false)
  }

  @Test(arguments: [
    "1970-01-01T00:00:00Z", "20260229T000000Z", "20261301T000000Z", "20260100T000000Z", "20260101T240000Z",
    "20260101T006000Z", "20260101T000060Z", "20260101t000000z", "２0260101T00000", "",
  ]) func `an invalid timestamp is rejected`(text: String) {
    #expect(AWSTimestamp.read(text) == nil)
  }

  @Test func `timestamps follow the calendar`() throws {
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime, .withTimeZone]
    var generator = SplitMixGenerator(seed: 5)
    for _ in 0..<2000 {
      let seconds = Int64.random(in: 0..<253_402_300_800, using: &generator)
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(AWSTimestamp.read(text)?.milliseconds == seconds * 1000)
    }
  }
}
