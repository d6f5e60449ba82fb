import MienEvaluation

/// Formats evaluations of face match as text lines for the terminal.
enum MatchFormatter {
  static func lines(_ result: MatchEvaluation) -> [String] {
    let row = result.atThreshold
    var lines = [
      "\(result.people) people, \(result.clips) clips, \(result.frames) frames; not assessed: "
        + "\(rate(result.clipsNotAssessed)) of clips, \(share(result.framesNotAssessed)) of frames",
      "threshold \(number(row.threshold))",
      "  pairs of clips: FMR \(share(row.clips.falseMatches)), FNMR \(share(row.clips.falseNonMatches))",
      "  pairs of frames of two clips: FMR \(share(row.frames.falseMatches)), "
        + "FNMR \(share(row.frames.falseNonMatches)); of one clip: FNMR \(share(row.framesOfOneClip))",
      "  people with a false match \(rate(row.peopleWithFalseMatch)), with a false non-match "
        + rate(row.peopleWithFalseNonMatch),
      "  pairs of people with a false match \(rate(row.pairsOfPeopleWithFalseMatch))",
      "AUC \(number(result.auc)), EER \(result.eer.map(percent) ?? "none") (pairs of clips)",
    ]
    lines += result.detection.map { point in
      "FMR at most \(percent(point.falseMatchRate)): threshold \(number(point.threshold)), "
        + "FMR \(share(point.rates.falseMatches)), FNMR \(share(point.rates.falseNonMatches))"
    }
    lines.append("threshold: FMR and FNMR of pairs of clips; people with a false match, with a false non-match")
    lines += result.curve.map { row in
      "  \(number(row.threshold)): \(share(row.clips.falseMatches)), \(share(row.clips.falseNonMatches)); "
        + "\(rate(row.peopleWithFalseMatch)), \(rate(row.peopleWithFalseNonMatch))"
    }
    lines += result.leastSimilarOfOnePerson.map { "  one person: \($0.first) and \($0.second), \($0.similarity)" }
    lines += result.mostSimilarOfDifferentPeople.map {
      "  different people: \($0.first) and \($0.second), \($0.similarity)"
    }
    if let system = result.fullSystem { lines += self.lines(system) }
    return lines + result.missing
  }

  private static func lines(_ system: FullSystemEvaluation) -> [String] {
    [
      "liveness and match: FRR \(rate(system.falseRejects)) of clips, \(system.rejectedByLiveness) by liveness, "
        + "\(system.rejectedByMatch) by match; attacks without a reference \(system.attacksWithoutReference)"
    ]
      + system.species.map { species in
        "  species \(species.name): matched \(rate(species.matched)), IAPAR \(rate(species.iapar)), "
          + "RIAPAR \(percent(species.riapar.value)) "
          + "(\(percent(species.riapar.lower)) to \(percent(species.riapar.upper)))"
          + (species.name == system.worstSpecies ? ", the worst" : "")
      } + EvaluationFormatter.lines([system.liveness])
  }

  private static func rate(_ rate: ErrorRate) -> String {
    rate.value.map { "\(percent($0)) (\(rate.errors)/\(rate.of), \(percent(rate.lower)) to \(percent(rate.upper)))" }
      ?? "none"
  }

  private static func share(_ count: MatchEvaluation.Count) -> String {
    count.value.map { "\(percent($0)) (\(count.errors)/\(count.of))" } ?? "none"
  }

  private static func percent(_ share: Double) -> String { "\((share * 100_000).rounded() / 1000) %" }
  private static func number(_ value: Double?) -> String {
    value.map { "\(($0 * 10_000).rounded() / 10_000)" } ?? "none"
  }
}
