internal import Foundation
internal import MienEvaluation
internal import MienFiles
internal import MienLiveness

/// Formats the result of an enrollment as text and as JSON.
struct EnrollmentFormatter {
  let measures: [DepthMeasures]
  let thresholds: DepthThresholds
  /// Version number if the thresholds were saved for a person.
  let version: Int?

  var plain: String {
    var lines = measures.map { measure in
      String(
        format:
          "capture: relief %.1f mm, plane %.1f mm, sheet %.1f mm, center %.1f mm, valid %.0f %%, distance %.0f mm",
        measure.noseRelief, measure.planeResidual, measure.sheetResidual, measure.centerToRim,
        measure.validFraction * 100, measure.distance)
    }
    let shape = thresholds.shape
    lines.append(
      String(
        format: "thresholds (%@): relief %.1f mm, plane %.1f mm, sheet %.1f mm, center %.1f mm", thresholds.calibration,
        shape.noseRelief, shape.planeResidual, shape.sheetResidual, shape.centerToRim))
    if let version { lines.append("kept as version \(version)") }
    return lines.joined(separator: "\n")
  }

  func json() throws -> String {
    struct Reply: Encodable {
      let captures: [Capture]
      let thresholds: Shape
      let calibration: String
      let version: Int?
    }
    return try JSONText.make(
      Reply(
        captures: measures.map(Capture.init), thresholds: Shape(thresholds.shape), calibration: thresholds.calibration,
        version: version))
  }

  /// Returns the reason for the refusal with the measured values as JSON.
  static func refusalJSON(_ reason: String, measures: [DepthMeasures]) throws -> String {
    struct Reply: Encodable {
      let captures: [Capture]
      let refused: String
    }
    return try JSONText.make(Reply(captures: measures.map(Capture.init), refused: reason))
  }

  private struct Shape: Encodable {
    let nose_relief_mm: Double
    let plane_residual_mm: Double
    let sheet_residual_mm: Double
    let center_to_rim_mm: Double

    init(_ shape: DepthThresholds.Shape) {
      nose_relief_mm = shape.noseRelief
      plane_residual_mm = shape.planeResidual
      sheet_residual_mm = shape.sheetResidual
      center_to_rim_mm = shape.centerToRim
    }
  }

  private struct Capture: Encodable {
    let shape: Shape
    let valid_fraction: Double
    let distance_mm: Double

    init(_ measures: DepthMeasures) {
      shape = Shape(DepthThresholds.Shape(measures))
      valid_fraction = measures.validFraction
      distance_mm = measures.distance
    }
  }
}

/// Formats evaluations as text lines for the terminal.
enum EvaluationFormatter {
  static func lines(_ evaluations: [Evaluation]) -> [String] {
    evaluations.flatMap { evaluation -> [String] in
      var lines = [
        "\(evaluation.check): APCER \(rate(evaluation.apcer))\(evaluation.apcerSpecies.map { " of \($0)" } ?? ""), "
          + "BPCER \(rate(evaluation.bpcer)), attacks missed, all species \(rate(evaluation.attacksMissed)), "
          + "attacks called genuine \(rate(evaluation.attacksCalledGenuine)), "
          + "bona fide undecided \(rate(evaluation.bonaFideUndecided)), "
          + "APNRR \(rate(evaluation.apnrr)), BPNRR \(rate(evaluation.bpnrr))"
          + (evaluation.curve.map { ", AUC \(number($0.auc)), EER \(percent($0.eer))" } ?? ", AUC none, EER none")
      ]
      for row in evaluation.species {
        lines.append("  species \(row.name): APCER \(rate(row.apcer))\(row.auc.map { ", AUC \(number($0))" } ?? "")")
      }
      for row in evaluation.sources {
        lines.append(
          "  source \(row.name): APCER \(rate(row.apcer)), BPCER \(rate(row.bpcer))"
            + (row.auc.map { ", AUC \(number($0))" } ?? ""))
      }
      return lines
    }
  }

  private static func rate(_ rate: ErrorRate) -> String {
    rate.value.map { "\(percent($0)) (\(rate.errors)/\(rate.of), \(percent(rate.lower)) to \(percent(rate.upper)))" }
      ?? "none"
  }

  private static func percent(_ share: Double) -> String { "\((share * 1000).rounded() / 10) %" }
  private static func number(_ value: Double) -> String { "\((value * 1000).rounded() / 1000)" }
}
