import Foundation
import MienApple
import MienScanFormat
import MienReconstruction
import MienViewModels
import MienCore
import Testing

/// Localization of scan guidance.
@Suite struct `Scan guidance texts` {
  @Test(arguments: ScanGuidanceEngine.Advice.allCases) func `every advice has a localized text`(
    advice: ScanGuidanceEngine.Advice
  ) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Web/assets/texts")
    for language in ["en", "ar", "de", "ja", "zh-Hant"] {
      let file = try Data(contentsOf: folder.appendingPathComponent("\(language).json"))
      #expect(try #require(LocalizationTable(Array(file))).has(advice.text), "\(advice.text)")
    }
  }

  @Test func `guidance contains the advice and the observed coverage`() throws {
    let header = try #require(
      ScanHeader(
        device: "", sensor: .trueDepth, width: 16, height: 12, micrometersPerStep: 100, world: .yUp, clock: .boot))
    var guide = ScanGuidanceEngine(header)
    #expect(ScanGuidance(guide) == ScanGuidance())
    for number in 0..<20 {
      let frame = try #require(
        ScanFrame(
          width: 16, height: 12, depth: [UInt16](repeating: 9000, count: 192), confidence: nil, pose: .identity,
          intrinsics: PinholeIntrinsics(fx: 12, fy: 12, cx: 8, cy: 6), at: .zero + .milliseconds(Double(number) * 50)))
      _ = guide.see(frame)
    }
    let guidance = ScanGuidance(guide)
    #expect(guidance.advice == LocalizedText("hint.too-far") && guidance.isInRange == false && !guidance.isEnough)
  }
}
