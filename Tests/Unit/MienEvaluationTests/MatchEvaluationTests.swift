import MienCore
import MienEvaluation
import Testing

@Suite struct `Evaluation of face match` {
  /// Clips of three people: b1 and b2 hardly resemble each other, and b2 resembles c1.
  private static func people() -> TemplateManifest {
    TemplateSamples.table([
      TemplateSamples.row("a1", of: "A", axis: 0), TemplateSamples.row("a2", of: "A", axis: 0, tilt: 0.1),
      TemplateSamples.row("b1", of: "B", axis: 1), TemplateSamples.row("b2", of: "B", axis: 1, tilt: 10),
      TemplateSamples.row("c1", of: "C", axis: 2, tilt: 10),
    ])
  }

  @Test func `rates match a count by hand`() throws {
    let result = MatchEvaluation(Self.people(), threshold: 0.363)
    #expect(result.people == 3 && result.clips == 5 && result.frames == 5 && result.model == "test")
    let row = result.atThreshold
    #expect(row.clips.falseMatches == .init(1, of: 8) && row.clips.falseNonMatches == .init(1, of: 2))
    #expect(row.frames == row.clips && row.framesOfOneClip == .init(0, of: 0))
    #expect(row.peopleWithFalseMatch == ErrorRate(2, of: 3) && row.peopleWithFalseNonMatch == ErrorRate(1, of: 2))
    #expect(row.pairsOfPeopleWithFalseMatch == ErrorRate(1, of: 3))
    // Of the 16 combinations of a pair of one person and one of different people, one is wrong.
    #expect(abs((result.auc ?? 0) - 15.0 / 16) < 1e-9)
    #expect(result.leastSimilarOfOnePerson.first == MatchEvaluation.Pair(first: "b1", second: "b2", similarity: 0.0995))
    #expect(
      result.mostSimilarOfDifferentPeople.first == MatchEvaluation.Pair(first: "b2", second: "c1", similarity: 0.9901))
  }

  @Test func `rates over thresholds fall and rise`() throws {
    let result = MatchEvaluation(Self.people(), threshold: 0.363)
    #expect(result.curve.map(\.threshold) == MatchEvaluation.thresholds && result.curve.count == 17)
    for (lower, upper) in zip(result.curve, result.curve.dropFirst()) {
      #expect(lower.clips.falseMatches.errors >= upper.clips.falseMatches.errors)
      #expect(lower.clips.falseNonMatches.errors <= upper.clips.falseNonMatches.errors)
      #expect(lower.frames.falseMatches.errors >= upper.frames.falseMatches.errors)
    }
    // At 0 every pair of different people matches, at 0.8 only b2 and c1.
    #expect(result.curve[0].clips.falseMatches == .init(8, of: 8))
    #expect(
      result.curve[16].clips.falseMatches == .init(1, of: 8)
        && result.curve[16].clips.falseNonMatches == .init(1, of: 2))
  }

  @Test func `a rate below one error in all pairs is not reported`() throws {
    let result = MatchEvaluation(Self.people(), threshold: 0.363)
    #expect(result.detection.isEmpty)
    // Ten people with one clip each, of whom two resemble each other: 45 pairs, and one for the false non-match rate.
    var rows = (0..<10).map { TemplateSamples.row("\($0)", of: "\($0)", axis: $0, tilt: $0 < 2 ? 10 : 0) }
    rows.append(TemplateSamples.row("more", of: "9", axis: 9, tilt: 0.2))
    let more = MatchEvaluation(TemplateSamples.table(rows), threshold: 0.363)
    #expect(more.detection.map(\.falseMatchRate) == [0.1])
    let point = try #require(more.detection.first)
    #expect(point.rates.falseMatches.errors <= 5 && point.threshold < 0.3)
    #expect(point.rates.falseNonMatches == .init(0, of: 1))
  }

  @Test func `pairs of frames of one clip are counted apart, and the median decides for clips`() throws {
    let odd = TemplateSamples.row("a1", of: "A", axis: 5, id: "a1-3")
    let result = MatchEvaluation(
      TemplateSamples.table([
        TemplateSamples.row("a1", of: "A", axis: 0, id: "a1-1"),
        TemplateSamples.row("a1", of: "A", axis: 0, id: "a1-2"), odd,
        TemplateSamples.row("a2", of: "A", axis: 0, tilt: 0.1), TemplateSamples.row("b1", of: "B", axis: 1),
      ]), threshold: 0.363)
    #expect(result.clips == 3 && result.frames == 5)
    #expect(result.atThreshold.framesOfOneClip == .init(2, of: 3))
    #expect(result.atThreshold.frames.falseNonMatches == .init(1, of: 3))
    #expect(result.atThreshold.clips.falseNonMatches == .init(0, of: 1))
    #expect(result.atThreshold.frames.falseMatches == .init(0, of: 4))
  }

  @Test func `faces that are not assessed are not compared`() throws {
    var rows = Self.people().rows
    rows.append(TemplateManifest.Row(id: "d1", person: "D", clip: "d1", template: nil, problem: "no-face"))
    rows.append(TemplateManifest.Row(id: "a1-2", person: "A", clip: "a1", template: nil, problem: "face-turned"))
    let result = MatchEvaluation(TemplateSamples.table(rows), threshold: 0.363)
    #expect(result.people == 3 && result.framesNotAssessed == .init(2, of: 7))
    #expect(result.clipsNotAssessed == ErrorRate(1, of: 6))
    #expect(result.atThreshold == MatchEvaluation(Self.people(), threshold: 0.363).atThreshold)
  }

  @Test func `attacks do not count as bona fide clips`() throws {
    let rows = Self.people().rows + [TemplateSamples.row("r", of: "A", axis: 1, tilt: 0.3, label: "replay")]
    let result = MatchEvaluation(TemplateSamples.table(rows), threshold: 0.363)
    #expect(result.atThreshold == MatchEvaluation(Self.people(), threshold: 0.363).atThreshold)
  }

  @Test func `missing data is reported`() throws {
    let one = MatchEvaluation(
      TemplateSamples.table([
        TemplateSamples.row("a1", of: "A", axis: 0), TemplateSamples.row("a2", of: "A", axis: 0, tilt: 0.1),
      ]), threshold: 0.363)
    #expect(one.missing.count == 2 && one.missing[0].hasPrefix("no false match rate"))
    #expect(
      one.missing[1]
        == "no IAPAR and RIAPAR: the table has no liveness results (column liveness: passed, failed or not-assessed)")
    #expect(one.auc == nil && one.eer == nil && one.atThreshold.peopleWithFalseMatch.value == nil)
    #expect(one.atThreshold.clips.falseNonMatches == .init(0, of: 1))
    let single = MatchEvaluation(
      TemplateSamples.table([
        TemplateSamples.row("a1", of: "A", axis: 0), TemplateSamples.row("b1", of: "B", axis: 1),
      ]), threshold: 0.363)
    #expect(single.missing[0].hasPrefix("no false non-match rate"))
  }
}

@Suite struct `Evaluation of liveness and face match together` {
  private static func table() -> TemplateManifest {
    func row(
      _ clip: String, _ person: String, _ axis: Int, _ liveness: LivenessOutcome?, label: String = "bona-fide",
      tilt: Float = 0
    ) -> TemplateManifest.Row {
      TemplateSamples.row(clip, of: person, axis: axis, tilt: tilt, label: label, liveness: liveness)
    }
    return TemplateSamples.table([
      row("a1", "A", 0, nil), row("a2", "A", 0, .passed, tilt: 0.1), row("a3", "A", 0, nil, tilt: 0.4),
      row("b1", "B", 1, .failed), row("b2", "B", 1, .failed, tilt: 0.1),
      row("c1", "C", 2, .passed), row("c2", "C", 3, .passed),
      row("d1", "D", 4, .passed), row("d2", "D", 4, .notAssessed, tilt: 0.1),
      row("r1", "A", 0, .passed, label: "replay", tilt: 0.2),
      row("r2", "B", 1, .failed, label: "replay", tilt: 0.2),
      row("r3", "E", 6, .passed, label: "replay"),
      row("m1", "A", 7, .passed, label: "mask"), row("m2", "C", 2, .notAssessed, label: "mask", tilt: 0.2),
    ])
  }

  @Test func `rates match a count by hand`() throws {
    let result = MatchEvaluation(Self.table(), threshold: 0.363)
    let system = try #require(result.fullSystem)
    #expect(result.missing.isEmpty)
    // Of a2, b2, c2 and d2 only a2 is accepted: b2 failed, c2 is another face, d2 has no result. There was no check of a3.
    #expect(system.falseRejects == ErrorRate(3, of: 4))
    #expect(system.rejectedByLiveness == 2 && system.rejectedByMatch == 1)
    #expect(system.species.map(\.name) == ["mask", "replay"] && system.worstSpecies == "replay")
    let (mask, replay) = (system.species[0], system.species[1])
    // r3 shows a person without a reference, m1 another face, and m2 has no result.
    #expect(system.attacksWithoutReference == 1)
    #expect(replay.matched == ErrorRate(2, of: 2) && replay.iapar == ErrorRate(1, of: 2))
    #expect(mask.matched == ErrorRate(1, of: 2) && mask.iapar == ErrorRate(0, of: 2))
    #expect(replay.riapar.value == 1.25 && mask.riapar.value == 0.75)
    #expect(system.liveness.apcer == ErrorRate(1, of: 1) && system.liveness.apcerSpecies == "mask")
    #expect(system.liveness.bpcer == ErrorRate(2, of: 6) && system.liveness.bpnrr == ErrorRate(1, of: 7))
  }

  @Test func `the interval of RIAPAR has the ends of both 97.5 % intervals`() throws {
    var rows: [TemplateManifest.Row] = []
    for axis in 0..<3 {
      rows.append(TemplateSamples.row("p\(axis)", of: "\(axis)", axis: axis, liveness: .passed))
      rows.append(TemplateSamples.row("q\(axis)", of: "\(axis)", axis: axis, tilt: 0.1, liveness: .passed))
    }
    for axis in 0..<2 {
      rows.append(
        TemplateSamples.row("r\(axis)", of: "\(axis)", axis: axis, tilt: 0.2, label: "replay", liveness: .failed))
    }
    let system = try #require(MatchEvaluation(TemplateSamples.table(rows), threshold: 0.363).fullSystem)
    let sum = try #require(system.species.first?.riapar)
    // Without errors the upper end is 1 − 0.0125^(1/n): 0.8882 for two attacks, 0.7679 for three verifications.
    #expect(sum.value == 0 && sum.lower == 0 && abs(sum.upper - (0.888_197 + 0.767_921)) < 1e-4)
  }

  @Test(arguments: [
    ("replay", "no person has a second bona fide clip with"), ("mask", "no attack impersonates a person who has"),
    ("none", "the table has no attacks with"),
  ]) func `missing data is reported`(label: String, words: String) throws {
    let rows = Self.table().rows.filter { row in
      switch label {
      case "replay": row.label == "replay" || row.clip.hasSuffix("1") && row.label == "bona-fide"
      case "mask": row.clip == "r3" || row.label == "bona-fide"
      default: row.label == "bona-fide"
      }
    }
    let result = MatchEvaluation(TemplateSamples.table(rows), threshold: 0.363)
    #expect(result.fullSystem == nil && result.missing.contains { $0.contains(words) })
  }
}
