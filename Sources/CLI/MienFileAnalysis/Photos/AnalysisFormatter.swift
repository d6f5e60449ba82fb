package import MienAuthenticity
internal import MienCore

/// Formats the results for one photo as text lines for the terminal.
package enum AnalysisFormatter {
  /// - Parameter embedded: kinds of the images beside it in the image's file.
  package static func lines(_ path: String, _ results: DetectionResults, embedded: [String] = []) -> [String] {
    var lines = [path + ": " + summary(results)]
    for reading in results.readings {
      switch reading.outcome {
      case .assessed(let found):
        lines.append(
          "  \(reading.check.rawValue): \(found.verdict.rawValue), measured \(rounded(found.measure.native)), "
            + "suspect from \(rounded(found.threshold))")
      case .notAssessed(let obstacle):
        lines.append("  \(reading.check.rawValue): not assessed, \(obstacle.rawValue)")
      }
    }
    if embedded.contains(depth) { lines.append("  in the file: " + depth) }
    let others = embedded.filter { $0 != depth }
    if !others.isEmpty {
      // A matte agrees with the picture whatever was in front of the camera.
      let reason = others.contains { $0.hasSuffix("matte") } ? ": a phone computes mattes from the picture itself" : ""
      lines.append("  in the file, not used: " + others.joined(separator: ", ") + reason)
    }
    return lines
  }

  /// Name of the depth map among the images in a file, the only one that a check uses.
  private static let depth = "depth"

  static func summary(_ results: DetectionResults) -> String {
    guard let whole = results.aggregated else { return "no check had an answer" }
    let level = whole.confidenceLevel.rawValue.split(separator: "_").joined(separator: " ")
    return "confidence that this is a scene: \(level) (\(rounded(whole.overallConfidence)))"
  }

  static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
