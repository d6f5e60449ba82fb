import MienEvaluation

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
