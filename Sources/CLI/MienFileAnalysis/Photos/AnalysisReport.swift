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
