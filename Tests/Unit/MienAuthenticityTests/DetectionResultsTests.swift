import Foundation
import MienAuthenticity
import MienCore
import Testing

@Suite struct `Detection results` {
  static func decoded(_ json: String) throws -> DetectionResults {
    try JSONDecoder().decode(DetectionResults.self, from: Data(json.utf8))
  }

  static let full = DetectionResults(
    moire: MoireReport(
      detected: true, confidence: 0.75, screenType: .lcd,
      peaks: [MoireReport.Peak(frequency: 0.25, angle: 90, prominence: 9)], algorithmVersion: "m"),
    texture: TextureReport(classification: .print, confidence: 0.5, algorithmVersion: "t"),
    artifacts: ArtifactReport(
      isLikelyArtificial: true, confidence: 0.5, pwm: .init(detected: true, confidence: 0.25), specular: .notAssessed,
      halftone: .init(detected: false, confidence: 0.125), bezel: .notAssessed, doubleCompression: .notAssessed,
      algorithmVersion: "a"),
    depth: DepthReport(
      verdict: .genuine, validShare: 1, range: 2, deviation: 0.5, planeResidual: 0.25, planeShare: 0.125, layers: 3,
      edgeAgreement: nil, source: .embedded, algorithmVersion: "d"),
    burst: BurstReport(
      frames: 8, seconds: 0.75, movement: 0.5, residualParallax: 0.25, flickerDepth: nil, algorithmVersion: "b"),
    aggregated: AggregateReport(
      overallConfidence: 0.5, confidenceLevel: .veryHigh, primarySignal: .depth, primarySignalValid: true,
      signalsAgree: false, contributions: [.init(check: .depth, weight: 1, score: 0.5)], flags: [.signalsDisagree],
      algorithmVersion: "g"),
    crossValidation: CrossValidationReport(
      status: .warn, pairs: [.init(first: .depth, second: .moire, consistency: 0.5)],
      intervals: [.init(check: .moire, lower: 0.25, upper: 0.5)], temporal: .init(frames: 3, deviation: 0.125),
      anomalies: [.init(kind: .contradiction, severity: .high, checks: [.depth, .moire])], algorithmVersion: "c"),
    readings: [
      SceneCheckResult(
        check: .moire,
        outcome: .assessed(
          .init(
            measure: .init(native: 9, score: Score(0.25)!, calibration: "1"), verdict: .suspect, threshold: 8)),
        version: "m"),
      SceneCheckResult(check: .depth, outcome: .notAssessed(.noDepth), version: "d"),
    ],
    timings: [.moire: 12.5])

  @Test func `written results are read back unchanged`() throws {
    let data = try JSONEncoder().encode(Self.full)
    #expect(try JSONDecoder().decode(DetectionResults.self, from: data) == Self.full)
  }

  @Test func `keys match the payload`() throws {
    let data = try JSONEncoder().encode(Self.full)
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "status", "moire", "texture", "artifacts", "depth", "burst", "aggregated", "cross_validation", "checks",
        "processing_ms",
      ])
    #expect((object["moire"] as? [String: Any])?["screen_type"] as? String == "lcd")
    #expect((object["artifacts"] as? [String: Any])?["pwm_detected"] as? Bool == true)
    #expect((object["artifacts"] as? [String: Any])?["specular_pattern_detected"] == nil)
    #expect((object["aggregated"] as? [String: Any])?["confidence_level"] as? String == "very_high")
    #expect((object["cross_validation"] as? [String: Any])?["validation_status"] as? String == "warn")
  }

  @Test func `artifacts are read with and without a confidence`() throws {
    let short = try Self.decoded(#"{"artifacts": {"is_likely_artificial": true, "pwm_detected": false}}"#).artifacts
    #expect(short?.isLikelyArtificial == true && short?.pwm.detected == false && short?.confidence == nil)
    let sure = try Self.decoded(#"{"artifacts": {"is_likely_artificial": false, "confidence": 0.9}}"#).artifacts
    #expect(sure?.confidence == 0.9)
    #expect(throws: DecodingError.self) {
      try Self.decoded(#"{"artifacts": {"is_likely_artificial": false, "confidence": 1.5}}"#)
    }
  }

  @Test func `keys of the original application are read`() throws {
    let results = try Self.decoded(
      """
      {"artifacts": {"is_likely_artificial": false, "overall_confidence": 0.5, "pwm_flicker_detected": true,
        "pwm_confidence": 0.25, "something_else": [1]},
       "aggregated_confidence": {"overall_confidence": 0.9, "confidence_level": "high", "primary_signal": "lidar",
        "flags": ["ambiguous_results", "signals_disagree"]},
       "cross_validation": {"validation_status": "pass", "confidence_intervals": {"moire": {"lower": 0}},
        "anomalies": [{"anomaly_type": "x"}]}, "computed_at": "2025-01-01T00:00:00Z"}
      """)
    #expect(results.artifacts?.pwm == .init(detected: true, confidence: 0.25))
    #expect(results.aggregated?.confidenceLevel == .high)
    #expect(results.aggregated?.primarySignal == nil)
    #expect(results.aggregated?.flags == [.signalsDisagree])
    #expect(results.crossValidation?.status == .pass)
    #expect(results.crossValidation?.anomalies == [])
    #expect(results.isPartial)
  }

  @Test(arguments: [
    #"{"moire": {"detected": "yes", "confidence": 0.5}}"#, #"{"moire": {"detected": true, "confidence": 1.5}}"#,
    #"{"moire": {"detected": true, "confidence": NaN}}"#, #"{"moire": {"detected": true}}"#, #"{"moire": []}"#,
    #"{"checks": [{"check": "moire", "result": "genuine", "algorithm_version": "1"}]}"#,
    #"{"checks": [{"check": "moire", "result": "perfect", "algorithm_version": "1"}]}"#,
    #"{"aggregated": {"overall_confidence": -0.1, "confidence_level": "high"}}"#,
    #"{"aggregated": {"overall_confidence": 0.5, "confidence_level": "certain"}}"#, "[]", "", "{",
  ])
  func `malformed input is rejected`(json: String) {
    #expect(throws: DecodingError.self) { try Self.decoded(json) }
  }

  @Test func `lists and texts are limited in length`() {
    let peak = #"{"frequency": 0.1, "angle": 1, "prominence": 2}"#
    let peaks = Array(repeating: peak, count: 257).joined(separator: ",")
    #expect(throws: DecodingError.self) {
      try Self.decoded(#"{"moire": {"detected": true, "confidence": 0.5, "peaks": [\#(peaks)]}}"#)
    }
    let long = String(repeating: "x", count: 201)
    #expect(throws: DecodingError.self) {
      try Self.decoded(#"{"moire": {"detected": true, "confidence": 0.5, "algorithm_version": "\#(long)"}}"#)
    }
  }

  @Test func `absent values and empty values differ`() throws {
    #expect(try !Self.decoded("{}").hasAnyResults)
    let results = DetectionResults.unavailable(because: .unreadable)
    #expect(!results.hasAnyResults)
    #expect(!results.isPartial)
    #expect(results.readings.map(\.check) == CheckName.allCases)
    #expect(
      results.summary
        == DetectionSummary(
          available: false, confidenceLevel: nil, primaryValid: nil, signalsAgree: nil))
  }
}
