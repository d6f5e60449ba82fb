/// Trade-off between APCER and BPCER as the threshold moves over all native values.
public struct DETCurve: Codable, Hashable, Sendable {
  /// Area under the ROC curve: the probability that an attack has a greater value than a bona fide presentation, with
  /// ties counted half.
  public var auc: Double
  /// Equal error rate: the mean of APCER and BPCER at the threshold where they are closest.
  public var eer: Double
  /// Points from the strictest threshold (every attack detected) to the most lenient.
  public var points: [Point]

  public struct Point: Codable, Hashable, Sendable {
    /// Values from this one on are suspect.
    public var threshold: Double
    public var apcer: Double
    public var bpcer: Double
  }

  /// Returns nil unless there are values of both classes.
  init?(_ trials: [Presentation]) {
    self.init(trials.compactMap { trial in trial.measure.map { (measure: $0, isAttack: trial.isAttack) } })
  }

  /// Returns nil unless there are values of both classes.
  init?(_ values: [(measure: Double, isAttack: Bool)]) {
    let measured = values.sorted { $0.measure < $1.measure }
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
