import Foundation
import MienApple
import Testing

/// Metadata of a capture.
@Suite struct `Capture metadata` {
  private struct Members: Decodable, Equatable {
    var captured_at_ms: Int64?
    var detection_available: Bool
    var detection_confidence_level: String?
    var detection_primary_valid: Bool?
    var detection_signals_agree: Bool?
  }

  private func read(_ bytes: [UInt8]?) throws -> Members {
    try JSONDecoder().decode(Members.self, from: Data(try #require(bytes)))
  }

  @Test func `the summary is that of the device's results`() throws {
    let detection = """
      {"aggregated": {"overall_confidence": 0.9, "confidence_level": "high", "primary_signal_valid": true,
        "supporting_signals_agree": false}}
      """
    let members = try read(CaptureMetadata.encoded(capturedAt: 1_767_225_600_000, detection: Array(detection.utf8)))
    #expect(
      members
        == Members(
          captured_at_ms: 1_767_225_600_000, detection_available: false, detection_confidence_level: "high",
          detection_primary_valid: true, detection_signals_agree: false))
  }

  @Test(arguments: [nil, Array("{".utf8)] as [[UInt8]?])
  func `without readable results there is no summary`(detection: [UInt8]?) throws {
    #expect(
      try read(CaptureMetadata.encoded(capturedAt: nil, detection: detection)) == Members(detection_available: false))
  }
}
