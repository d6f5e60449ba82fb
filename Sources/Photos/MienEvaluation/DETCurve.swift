/// How APCER and BPCER change against each other when the threshold moves over all measures.
public struct DETCurve: Codable, Hashable, Sendable {
  /// The area under the ROC curve: the chance that an attack measures more than a bona fide presentation, ties half.
  public var auc: Double
  /// Where APCER and BPCER meet: the mean of both at the nearest threshold.
  public var eer: Double
  /// From the strictest threshold (every attack found) to the mildest.
  public var points: [Point]

  public struct Point: Codable, Hashable, Sendable {
    /// Suspect from here on.
    public var threshold: Double
    public var apcer: Double
    public var bpcer: Double
  }

  /// Nil unless there are measures of both classes.
  init?(_ trials: [Presentation]) {
    let measured = trials.compactMap { trial in trial.measure.map { (measure: $0, isAttack: trial.isAttack) } }
      .sorted { $0.measure < $1.measure }
    let attacks = measured.count { $0.isAttack }
    let bonaFide = measured.count - attacks
    guard attacks > 0, bonaFide > 0 else { return nil }
    var points: [Point] = []
    var (missed, passed, area, index) = (0, 0, 0.0, 0)
    while index < measured.count {
      let threshold = measured[index].measure
      points.append(
        Point(
          threshold: threshold, apcer: Double(missed) / Double(attacks),
          bpcer: Double(bonaFide - passed) / Double(bonaFide)))
      var (sameAttacks, sameBonaFide) = (0, 0)
      while index < measured.count, measured[index].measure == threshold {
        if measured[index].isAttack { sameAttacks += 1 } else { sameBonaFide += 1 }
        index += 1
      }
      area += Double(sameAttacks) * (Double(passed) + Double(sameBonaFide) / 2)
      missed += sameAttacks
      passed += sameBonaFide
    }
    points.append(Point(threshold: .greatestFiniteMagnitude, apcer: 1, bpcer: 0))
    auc = area / Double(attacks * bonaFide)
    let nearest = points.min { abs($0.apcer - $0.bpcer) < abs($1.apcer - $1.bpcer) }
    eer = nearest.map { ($0.apcer + $0.bpcer) / 2 } ?? 0.5
    self.points = points
  }
}
