import Testing

@testable import MienAuthenticity

@Suite struct `Ranks among genuine images` {
  @Test func `a common value ranks as common`() throws {
    // Three of four have no bands at all.
    let none = try #require(BonaFideScoreDistribution.interval(.banding, native: 0))
    #expect(none.lower >= 0.97 && none.upper > 0.999)
    let some = try #require(BonaFideScoreDistribution.interval(.banding, native: 0.2))
    #expect((0.15...0.25).contains(some.lower) && (0.3...0.4).contains(some.upper))
  }

  @Test func `the largest genuine value is rare and a larger one exceeds the range`() throws {
    let greatest = try #require(BonaFideScoreDistribution.interval(.bezel, native: 100))
    #expect(greatest.lower < 0.001 && greatest.upper > 0.05)
    let above = try #require(BonaFideScoreDistribution.interval(.bezel, native: 100.5))
    #expect(above.upper < 0.05)
    #expect(Self.anomalies(.bezel, 100).isEmpty)
    #expect(Self.anomalies(.bezel, 100.5).map(\.kind) == [.unusualScore])
  }

  private static func anomalies(_ check: CheckName, _ native: Double) -> [CrossValidationReport.Anomaly] {
    let reading = SceneCheckResult(
      check: check, outcome: BezelCheck().settings.calibration.outcome(native), version: "t")
    return CrossValidation().compare([reading], frameScores: []).anomalies
  }
}
