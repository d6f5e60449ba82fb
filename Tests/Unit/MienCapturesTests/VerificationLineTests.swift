import MienAuthenticity
import MienImaging
import MienCore
import MienPlatform
import MienCaptures
import MienTestSupport
import Testing

@Suite struct `Verification lines` {
  private func line(
    _ name: VerificationLine.Name, _ change: (inout CaptureRecord) -> Void = { _ in },
    signature: SignatureOutcome? = nil
  ) throws -> VerificationLine {
    var capture = try sampleCapture(1, photo: 1, signature: signature)
    change(&capture)
    let lines = CaptureLines.lines(of: capture)
    #expect(lines.map(\.name) == VerificationLine.Name.allCases, "one line of each name")
    return try #require(lines.first { $0.name == name })
  }

  private func facts(
    _ standing: SignatureOutcome.Standing, changed: [CapturePart] = [], counter: Int64 = 5
  ) throws -> SignatureOutcome {
    SignatureOutcome(device: try #require(DeviceID("phone")), counter: counter, standing: standing, changed: changed)
  }

  @Test func `an untrusted signature is never reported as tampering`() throws {
    for signature in [nil, try facts(.deviceUnknown), try facts(.invalid)] {
      let integrity = try line(.integrity, signature: signature)
      #expect(integrity.status == .notChecked)
      #expect(try line(.device, signature: signature).status == .notChecked)
    }
    #expect(try line(.signer).status == .notChecked)
    #expect(try line(.signer, signature: facts(.deviceUnknown)).status == .unavailable)
    #expect(try line(.signer, signature: facts(.invalid)).status == .fail)
  }

  @Test(
    arguments: [
      (nil, nil, VerificationLine.Status.notChecked, ["attestation-disabled"]),
      (AttestationOutcome(environment: nil, standing: .none), nil, .notChecked, ["not-attested"]),
      (AttestationOutcome(environment: nil, standing: .foreignKey), nil, .unavailable, ["not-attested"]),
      (AttestationOutcome(environment: .production, standing: .none), nil, .pass, ["key-attested"]),
      (
        AttestationOutcome(environment: .development, standing: .none), nil, .pass, ["key-attested", "development-app"]
      ),
      (AttestationOutcome(environment: .production, standing: .invalid), nil, .fail, ["assertion-invalid"]),
      (AttestationOutcome(environment: .development, standing: .foreignKey), nil, .fail, ["assertion-of-another-key"]),
      (asserted(5), 4, .pass, ["capture-asserted"]), (asserted(5), 5, .fail, ["assertion-repeated"]),
      (asserted(5), 6, .fail, ["assertion-went-back"]), (asserted(5), nil, .unavailable, ["not-attested"]),
    ] as [(AttestationOutcome?, Int64?, VerificationLine.Status, [String])])
  func `an app is genuine only if Apple attests it`(
    facts: AttestationOutcome?, before: Int64?, status: VerificationLine.Status, reasons: [String]
  ) throws {
    let phone = try #require(DeviceID("phone"))
    let signature = SignatureOutcome(device: phone, counter: 5, standing: .valid, changed: [], attestation: facts)
    let found = try line(.app, { $0.history.assertion = before }, signature: signature)
    #expect(found.status == status && found.reasons == reasons)
    for standing in [SignatureOutcome.Standing.invalid, .deviceUnknown] {
      let signature = SignatureOutcome(device: phone, counter: 5, standing: standing, changed: [], attestation: facts)
      #expect(try line(.app, signature: signature).status == .notChecked)
    }
    #expect(try line(.app).reasons == ["not-signed"])
  }

  private static func asserted(_ counter: Int64) -> AttestationOutcome {
    AttestationOutcome(
      environment: .production, standing: .valid, counter: counter, keyID: ContentDigest(of: [1]))
  }

  /// Returns the verification line of a capture with this metadata and this file.
  private func line(
    _ name: VerificationLine.Name, metadata: CaptureMetadata?, file: ImageProvenance, after milliseconds: Int64 = 0
  ) throws -> VerificationLine {
    let sample = try sampleCapture(1, photo: 1, at: milliseconds)
    let capture = CaptureRecord(
      id: sample.id, receipt: sample.receipt, received: sample.received, photo: sample.photo,
      photoType: sample.photoType, depth: nil, metadata: nil, detection: nil,
      claims: CaptureClaims(metadata: metadata, file: file), signature: nil, state: .queued)
    return try #require(CaptureLines.lines(of: capture).first { $0.name == name })
  }

  private static let noon: Int64 = 1_767_225_600_000

  @Test(
    arguments: [
      // Claimed time, file time, file time zone; in seconds or minutes relative to the upload.
      (0, 7200, 120, VerificationLine.Status.notChecked, ["time-claimed", "file-time-agrees"]),
      (-60, 7260 - 60, 120, .notChecked, ["time-claimed", "file-time-agrees"]),
      (0, 7200 - 130, 120, .fail, ["file-time-differs"]),
      (0, 7200 + 130, 120, .fail, ["file-time-in-future"]),
      (0, 7230, nil, .notChecked, ["time-claimed", "file-time-agrees"]),
      (0, -19_800, nil, .notChecked, ["time-claimed", "file-time-agrees"]),
      (0, 7200 - 400, nil, .fail, ["file-time-differs"]),
      (0, -13 * 3600, nil, .fail, ["file-time-differs"]),
      (0, 15 * 3600, nil, .fail, ["file-time-in-future"]),
      (nil, 7200, 120, .notChecked, ["file-time"]),
      (nil, 86_400, 120, .fail, ["file-time-in-future"]),
    ] as [(Int64?, Int64, Int?, VerificationLine.Status, [String])])
  func `the time in a file is compared with the stated time and the arrival`(
    stated: Int64?, wall: Int64, zone: Int?, status: VerificationLine.Status, reasons: [String]
  ) throws {
    var file = ImageProvenance()
    (file.wallClock, file.aheadOfUTC) = (Self.noon + wall * 1000, zone)
    let metadata = stated.map { CaptureMetadata(capturedAt: Self.noon + $0 * 1000) }
    let line = try line(.time, metadata: metadata, file: file)
    #expect(line.status == status && line.reasons == reasons)
  }

  @Test(arguments: [
    (52.52, 13.405, VerificationLine.Status.notChecked, ["place-claimed", "file-place-agrees"]),
    (52.525, 13.41, .notChecked, ["place-claimed", "file-place-agrees"]),
    (52.54, 13.405, .fail, ["file-place-differs"]), (52.52, 13.43, .fail, ["file-place-differs"]),
    (-52.52, -166.595, .fail, ["file-place-differs"]),
  ])
  func `the location in a file is compared with the stated location`(
    latitude: Double, longitude: Double, status: VerificationLine.Status, reasons: [String]
  ) throws {
    var file = ImageProvenance()
    (file.latitude, file.longitude) = (52.52, 13.405)
    let metadata = CaptureMetadata(place: CaptureMetadata.Place(latitude: latitude, longitude: longitude))
    let line = try line(.place, metadata: metadata, file: file)
    #expect(line.status == status && line.reasons == reasons)
    #expect(try self.line(.place, metadata: nil, file: file).reasons == ["file-place"])
  }

  @Test func `each changed part has its own reason`() throws {
    let line = try line(.integrity, signature: facts(.valid, changed: [.depth, .detection]))
    #expect(line.status == .fail && line.reasons == ["depth-changed", "detection-changed"])
    #expect(
      try self.line(.signer, signature: facts(.valid, changed: [.photo])).status == .pass,
      "a changed part does not change the signer")
  }

  @Test(arguments: [
    (4, VerificationLine.Status.pass, "counter-went-on"), (5, .fail, "counter-repeated"),
    (6, .fail, "counter-went-back"),
  ])
  func `a replay is detected by the counter`(before: Int64, status: VerificationLine.Status, reason: String) throws {
    let line = try line(.device, { $0.history.counter = before }, signature: facts(.valid))
    #expect(line.status == status && line.reasons == [reason])
  }

  @Test func `a repeated image is a remark and not a failure`() throws {
    let line = try line(.integrity, { $0.history.samePhoto = 1 }, signature: facts(.valid))
    #expect(line.status == .pass && line.reasons == ["parts-as-signed", "same-photo-before"])
  }

  @Test(arguments: [
    (AggregateReport.Level.veryHigh, VerificationLine.Status.pass), (.high, .pass), (.medium, .unavailable),
    (.low, .unavailable), (.suspicious, .fail),
  ])
  func `the scene line depends on the confidence level`(level: AggregateReport.Level, status: VerificationLine.Status)
    throws
  {
    #expect(CaptureLines.scene(of: Self.results(level)).status == status)
  }

  @Test func `an unavailable analysis gives no result`() throws {
    #expect(try line(.scene).reasons == ["analyzing"])
    #expect(CaptureLines.scene(of: .unavailable(because: .unreadable)).reasons == ["image-unreadable"])
    #expect(CaptureLines.scene(of: .unavailable(because: .tooSlow)).reasons == ["no-results"])
    let plain = CaptureLines.scene(of: .unavailable(because: .nothingToMeasure))
    #expect(plain.reasons == ["nothing-to-measure"] && plain.status == .unavailable)
    let alone = DetectionResults(aggregated: Self.results(.high).aggregated)
    #expect(CaptureLines.scene(of: alone).status == .unavailable, "an aggregate without a check")
  }

  @Test func `client results are compared where both sides decided`() throws {
    var claimed = Self.results(.suspicious)
    claimed.moire?.detected = true
    let claims = CaptureClaims(detection: claimed)
    let comparison = ClientServerComparison(claims, Self.results(.veryHigh))
    #expect(comparison.disagreements.map(\.subject) == ["moire", "aggregated"] && comparison.compared == 3)
    #expect(ClientServerComparison(claims, Self.results(.medium)).disagreements.map(\.subject) == ["moire"])
    #expect(ClientServerComparison(claims, .unavailable(because: .tooSlow)).compared == 0)
    let sure = CaptureClaims(detection: Self.results(.veryHigh))
    let low = ClientServerComparison(sure, Self.results(.low)).disagreements
    #expect(low.map { [$0.subject, $0.claimed, $0.found] } == [["aggregated", "very_high", "low"]])
    #expect(ClientServerComparison(sure, Self.results(.medium)).disagreements == [])
    #expect(
      ClientServerComparison(CaptureClaims(detection: Self.results(.high)), Self.results(.veryHigh)).disagreements == []
    )
  }

  @Test func `undecided checks are not compared`() throws {
    let score = try #require(Score(0.5))
    func results(
      _ moire: SceneCheckResult.Verdict, likely: Bool = false, _ signs: [CheckName: SceneCheckResult.Verdict] = [:]
    ) -> DetectionResults {
      var results = Self.results(.medium)
      results.moire?.detected = moire == .suspect
      results.artifacts = ArtifactReport(
        isLikelyArtificial: likely, confidence: 1, pwm: .notAssessed, specular: .notAssessed, halftone: .notAssessed,
        bezel: .notAssessed, doubleCompression: .notAssessed, algorithmVersion: "1")
      results.readings = signs.merging([.moire: moire]) { $1 }.map { check, verdict in
        let outcome = SceneCheckResult.Assessment(
          measure: Finding.Measure(native: 1, score: score, calibration: "1"), verdict: verdict, threshold: 1)
        return SceneCheckResult(check: check, outcome: .assessed(outcome), version: "1")
      }
      return results
    }
    func subjects(_ claimed: DetectionResults, _ found: DetectionResults) -> [String] {
      ClientServerComparison(CaptureClaims(detection: claimed), found).disagreements.map(\.subject)
    }
    let accused = results(.suspect, likely: true, [.halftone: .suspect])
    #expect(subjects(accused, results(.genuine, [.halftone: .genuine])) == ["moire", "artifacts"])
    for signs: [CheckName: SceneCheckResult.Verdict] in [
      [.halftone: .undecided], [.banding: .undecided], [.bezel: .suspect, .specular: .undecided],
    ] {
      let open = results(.undecided, signs)
      #expect(subjects(accused, open) == [])
      #expect(subjects(open, accused) == [])
    }
    // One more weak indicator would not count as evidence.
    #expect(subjects(accused, results(.undecided, [.bezel: .undecided])) == ["artifacts"])
  }

  @Test func `a summary inconsistent with its own detection is a disagreement`() {
    let summary = DetectionSummary(available: true, confidenceLevel: .high, primaryValid: nil, signalsAgree: nil)
    let claims = CaptureClaims(metadata: CaptureMetadata(summary: summary), detection: Self.results(.veryHigh))
    #expect(ClientServerComparison(claims, Self.results(.veryHigh)).disagreements.map(\.subject) == ["detection"])
  }

  @Test func `claims that agree only with each other prove nothing`() {
    let summary = DetectionSummary(available: true, confidenceLevel: .veryHigh, primaryValid: nil, signalsAgree: nil)
    var claimed = DetectionResults()
    claimed.aggregated = Self.results(.veryHigh).aggregated
    claimed.moire = Self.results(.veryHigh).moire
    let claims = CaptureClaims(metadata: CaptureMetadata(summary: summary), detection: claimed)
    var found = DetectionResults()
    found.aggregated = Self.results(.medium).aggregated
    let comparison = ClientServerComparison(claims, found)
    #expect(comparison.compared == 0 && comparison.disagreements == [])
    found.aggregated = Self.results(.low).aggregated
    let subjects = ClientServerComparison(claims, found).disagreements.map(\.subject)
    #expect(subjects == ["aggregated", "detection_confidence_level"])
  }

  @Test func `printing reveals no biometric data`() throws {
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
