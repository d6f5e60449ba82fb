internal import Foundation
package import MienAuthenticity
internal import MienCodecs
internal import MienCore
internal import MienEvaluation

/// Renders the results for one photo as a self-contained HTML page.
package enum AnalysisReport {
  package static func page(_ path: String, _ results: DetectionResults, _ visualizations: AnalysisVisualizations?)
    throws
    -> String
  {
    let name = HTMLReport.text(URL(fileURLWithPath: path).lastPathComponent)
    var rows = ""
    for reading in results.readings {
      rows += "<tr><td>\(reading.check.rawValue)"
      switch reading.outcome {
      case .assessed(let found):
        let width = Int((found.measure.score.value * 100).rounded())
        rows += "<td>\(found.verdict.rawValue)<td><span class=\"bar \(found.verdict.rawValue)\">"
        rows += "<i style=\"width:\(width)%\"></i></span> \(width) %"
        rows +=
          "<td>\(AnalysisFormatter.rounded(found.measure.native))<td>\(AnalysisFormatter.rounded(found.threshold))"
      case .notAssessed(let obstacle):
        rows += "<td>not assessed<td>\(obstacle.rawValue)<td><td>"
      }
      rows += "</tr>\n"
    }
    var images = ""
    if let visualizations {
      let encoder = try JPEGEncoder()
      for (title, frame) in [
        ("Mean spectrum of the tiles", visualizations.spectrum), ("Tiles with peaks", visualizations.tiles),
      ] {
        let data = Data(try encoder.encode(frame, quality: 85)).base64EncodedString()
        images +=
          "<figure><img src=\"data:image/jpeg;base64,\(data)\" alt=\"\(title)\"><figcaption>\(title)</figcaption>"
        images += "</figure>\n"
      }
    }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(name)</title><style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;
      margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}th,td{border-bottom:1px solid #8884;padding:.3rem .8rem;
      text-align:left}.bar{display:inline-block;width:8rem;height:.7rem;background:#8883;border-radius:.35rem;overflow:hidden}
      .bar i{display:block;height:100%;background:#d97706}.bar.genuine i{background:#16a34a}.bar.suspect i{background:#dc2626}
      figure{display:inline-block;margin:1rem 1rem 0 0}img{height:20rem;image-rendering:pixelated}</style></head><body>
      <h1>\(name)</h1><p>\(AnalysisFormatter.summary(results)).</p>
      <table><tr><th>Check<th>Answer<th>Score (100 % = a scene)<th>Measure<th>Suspect from</tr>
      \(rows)</table>
      \(images)<p>A picture without signs of a copy is not proven genuine, and a sign is not proof of fraud.</p></body></html>

      """
  }
}

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

extension CaptureAnalyzer {
  /// Runs the jobs one after another and measures the time of each group.
  package func timedAnalysis(of capture: CaptureInput) -> (results: DetectionResults, parts: [Part]) {
    let clock = ContinuousClock()
    var timings: [CheckGroup: Double] = [:]
    let parts = jobs(for: capture).map { job in
      let start = clock.now
      let part = job.run()
      timings[job.group] = (clock.now - start) / .milliseconds(1)
      return part
    }
    return (assemble(parts, timings: timings), parts)
  }
}
