internal import Foundation
internal import MienFiles
internal import MienReconstruction
internal import MienScanFormat

extension FaceMeasurementRun {
  /// Formats the measurements as text.
  package func words(_ input: String) -> String {
    var lines = ["\(input): \(viewCount) of \(lookedAt) pictures measured"]
    lines += reasons.map { "  " + ScanDiagnostic($0.code, ["count": "\($0.count)"]).words }
    for row in rows {
      let name = row.measure.rawValue.replacingOccurrences(of: "-", with: " ")
      lines.append(
        "  " + name.padding(toLength: 24, withPad: " ", startingAt: 0)
          + Self.padded(Self.millimeters(row.meters)) + " mm ± \(Self.millimeters(row.expandedUncertainty))"
          + "  (\(row.views) \(row.views == 1 ? "view" : "views"))")
    }
    return lines.joined(separator: "\n")
  }

  /// Formats the measurements as JSON: lengths in millimeters, uncertainties at 95 % coverage.
  package func json(_ input: String) throws -> String {
    try JSONText.make(
      Line(
        input: input, images: lookedAt, views: viewCount,
        leftOut: Dictionary(reasons.map { ($0.code.rawValue, $0.count) }, uniquingKeysWith: +),
        measures: rows.map { row in
          Line.Row(
            measure: row.measure.rawValue, millimeters: Self.millimeters(row.meters),
            uncertainty: Self.millimeters(row.expandedUncertainty), random: Self.millimeters(2 * row.randomPart),
            views: row.views)
        }))
  }

  private struct Line: Encodable {
    let input: String
    let images: Int
    let views: Int
    let leftOut: [String: Int]
    let measures: [Row]

    enum CodingKeys: String, CodingKey {
      case input, images = "pictures", views, measures
      case leftOut = "left_out"
    }

    struct Row: Encodable {
      let measure: String
      let millimeters: Double
      let uncertainty: Double
      let random: Double
      let views: Int

      enum CodingKeys: String, CodingKey {
        case measure, views
        case millimeters = "mm"
        case uncertainty = "uncertainty_mm"
        case random = "random_mm"
      }
    }
  }

  private static func millimeters(_ meters: Float) -> Double { (Double(meters) * 10_000).rounded() / 10 }

  private static func padded(_ value: Double) -> String {
    let text = "\(value)"
    return String(repeating: " ", count: max(0, 6 - text.count)) + text
  }
}
