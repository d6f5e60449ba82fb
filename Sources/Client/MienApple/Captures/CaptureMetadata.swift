internal import Foundation
public import MienAuthenticity
internal import MienCore
internal import MienRecordings

/// Metadata of a capture: its time, and a summary of the device's own results.
public enum CaptureMetadata {
  /// Encodes the part `metadata` (Documentation/guides/Captures.md).
  ///
  /// - Parameters:
  ///   - capturedAt: milliseconds since 1970 on the device's clock; `nil` if unknown.
  ///   - detection: the part `detection`; `nil` if the device did not analyze the photo.
  /// - Returns: JSON with sorted keys: the same values give the same bytes, which are signed.
  public static func encoded(capturedAt: Int64?, detection: [UInt8]?) -> [UInt8]? {
    let summary = detection.flatMap { try? JSONDecoder().decode(DetectionResults.self, from: Data($0)) }?.summary
    let members = Members(capturedAt: capturedAt, summary: summary)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(members)).map { Array($0) }
  }

  /// Decodes the part `depth_map` for the on-device checks; `nil` if it cannot be read.
  public static func depthMap(_ part: [UInt8]) -> CaptureDepthMap? {
    guard let frame = try? DepthFrameCodec.read(ContiguousArray(part)).first else { return nil }
    return CaptureDepthMap(
      width: frame.width, height: frame.height, samples: frame.samples, micrometersPerStep: frame.micrometersPerStep)
  }

  private struct Members: Encodable {
    var capturedAt: Int64?
    var summary: DetectionSummary?

    enum CodingKeys: String, CodingKey { case capturedAt = "captured_at_ms" }

    func encode(to encoder: any Encoder) throws {
      var box = encoder.container(keyedBy: CodingKeys.self)
      try box.encodeIfPresent(capturedAt, forKey: .capturedAt)
      let summary =
        summary ?? DetectionSummary(available: false, confidenceLevel: nil, primaryValid: nil, signalsAgree: nil)
      try summary.encode(to: encoder)
    }
  }
}
