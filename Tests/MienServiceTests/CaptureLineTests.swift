import MienAuthenticity
import MienModel
import MienService
import MienTestSupport
import Testing

@Suite struct `What a verifier is told` {
  private func line(
    _ name: CaptureLine.Name, _ change: (inout CaptureRecord) -> Void = { _ in }, signature: SignatureFacts? = nil
  ) throws -> CaptureLine {
    var capture = try sampleCapture(1, photo: 1, signature: signature)
    change(&capture)
    let lines = CaptureLines.lines(of: capture)
    #expect(lines.map(\.name) == CaptureLine.Name.allCases, "one line of each name")
    return try #require(lines.first { $0.name == name })
  }

  private func facts(
    _ standing: SignatureFacts.Standing, changed: [CapturePart] = [], counter: Int64 = 5
  ) throws -> SignatureFacts {
    SignatureFacts(device: try #require(DeviceID("phone")), counter: counter, standing: standing, changed: changed)
  }

  @Test func `what is not trusted is never told as tampered with`() throws {
    for signature in [nil, try facts(.deviceUnknown), try facts(.invalid)] {
      let integrity = try line(.integrity, signature: signature)
      #expect(integrity.status == .notChecked)
      #expect(try line(.device, signature: signature).status == .notChecked)
    }
    #expect(try line(.signer).status == .notChecked)
    #expect(try line(.signer, signature: facts(.deviceUnknown)).status == .unavailable)
    #expect(try line(.signer, signature: facts(.invalid)).status == .fail)
  }

  @Test func `each changed part has its own reason`() throws {
    let line = try line(.integrity, signature: facts(.valid, changed: [.depth, .detection]))
    #expect(line.status == .fail && line.reasons == ["depth-changed", "detection-changed"])
    #expect(try self.line(.signer, signature: facts(.valid, changed: [.photo])).status == .pass, "the key is the key")
  }

  @Test(arguments: [
    (4, CaptureLine.Status.pass, "counter-went-on"), (5, .fail, "counter-repeated"), (6, .fail, "counter-went-back"),
  ])
  func `a replay is told by the counter`(before: Int64, status: CaptureLine.Status, reason: String) throws {
    let line = try line(.device, { $0.history.counter = before }, signature: facts(.valid))
    #expect(line.status == status && line.reasons == [reason])
  }

  @Test func `the same picture again is a remark and no failure`() throws {
    let line = try line(.integrity, { $0.history.samePhoto = 1 }, signature: facts(.valid))
    #expect(line.status == .pass && line.reasons == ["parts-as-signed", "same-photo-before"])
  }

  @Test(arguments: [
    (AggregateReport.Level.veryHigh, CaptureLine.Status.pass), (.high, .pass), (.medium, .unavailable),
    (.low, .unavailable), (.suspicious, .fail),
  ])
  func `the scene is as sure as the level`(level: AggregateReport.Level, status: CaptureLine.Status) throws {
    #expect(CaptureLines.scene(of: Self.results(level)).status == status)
  }

  @Test func `what could not look is no verdict`() throws {
    #expect(try line(.scene).reasons == ["analysing"])
    #expect(CaptureLines.scene(of: .unavailable(because: .unreadable)).reasons == ["picture-unreadable"])
    #expect(CaptureLines.scene(of: .unavailable(because: .tooSlow)).reasons == ["no-results"])
    let alone = DetectionResults(aggregated: Self.results(.high).aggregated)
    #expect(CaptureLines.scene(of: alone).status == .unavailable, "a weight without a check")
  }

  @Test func `claims are compared where both sides decided`() throws {
    var claimed = Self.results(.suspicious)
    claimed.moire?.detected = true
    let claims = CaptureClaims(detection: claimed)
    let comparison = ClaimComparison(claims, Self.results(.veryHigh))
    #expect(comparison.disagreements.map(\.subject) == ["moire", "aggregated"] && comparison.compared == 3)
    #expect(ClaimComparison(claims, Self.results(.medium)).disagreements.map(\.subject) == ["moire"])
    #expect(ClaimComparison(claims, .unavailable(because: .tooSlow)).compared == 0)
    #expect(ClaimComparison(CaptureClaims(detection: Self.results(.high)), Self.results(.veryHigh)).disagreements == [])
  }

  @Test func `a summary that is not its own detection's is a disagreement`() {
    let summary = DetectionSummary(available: true, confidenceLevel: .high, primaryValid: nil, signalsAgree: nil)
    let claims = CaptureClaims(metadata: CaptureMetadata(summary: summary), detection: Self.results(.veryHigh))
    #expect(ClaimComparison(claims, Self.results(.veryHigh)).disagreements.map(\.subject) == ["detection"])
  }

  @Test func `a biometric record prints nothing`() throws {
    let capture = try sampleCapture(1, photo: 1)
    var dumped = ""
    dump(capture, to: &dumped)
    #expect("\(capture) \(dumped)".contains("52") == false)
  }

  static func results(_ level: AggregateReport.Level) -> DetectionResults {
    DetectionResults(
      moire: MoireReport(detected: false, confidence: 1, screenType: nil, peaks: [], algorithmVersion: "1"),
      texture: TextureReport(classification: .realScene, confidence: 1, algorithmVersion: "1"),
      aggregated: AggregateReport(
        overallConfidence: 0.5, confidenceLevel: level, primarySignal: nil, primarySignalValid: nil,
        signalsAgree: nil, contributions: [], flags: [], algorithmVersion: "1"))
  }
}
