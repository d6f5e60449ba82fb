import MienEvaluation
import Testing

@Suite struct `Evaluation of a manifest` {
  static func trial(_ label: String, _ measure: Double?, _ answer: Presentation.Answer, source: String = "s")
    -> Presentation
  {
    Presentation(path: "\(label)\(measure ?? -1)", label: label, source: source, measure: measure, answer: answer)
  }

  static let trials = [
    trial("genuine", 0.1, .genuine), trial("genuine", 0.4, .undecided), trial("genuine_face", 0.8, .suspect),
    trial("genuine", nil, .notAssessed), trial("screen", 0.9, .suspect), trial("screen", 0.4, .undecided),
    trial("print", 0.2, .genuine, source: "t"), trial("print", nil, .notAssessed, source: "t"),
  ]

  @Test func `rates are counted as in the standard`() {
    let found = Evaluation(check: "moire", threshold: 0.7, trials: Self.trials)
    #expect(found.bpcer == ErrorRate(1, of: 3))
    #expect(found.apcer == ErrorRate(1, of: 1) && found.apcerSpecies == "print", "the species that is missed most")
    #expect(found.attacksMissed == ErrorRate(2, of: 3))
    #expect(found.bpnrr == ErrorRate(1, of: 4))
    #expect(found.apnrr == ErrorRate(1, of: 4))
    #expect(found.attacksCalledGenuine == ErrorRate(1, of: 3))
    #expect(found.bonaFideUndecided == ErrorRate(1, of: 3))
    #expect(found.species.map(\.name) == ["print", "screen"])
    #expect(found.species[1].apcer == ErrorRate(1, of: 2))
    #expect(found.sources.map(\.name) == ["s", "t"])
    #expect(found.sources[1].auc == nil)
    #expect(found.confusion.first { $0.label == "genuine" }?.counts == [1, 1, 0, 1])
    #expect(found.worst.first?.path == "print0.2")
  }

  @Test func `the area under the curve counts pairs and half of the ties`() throws {
    let curve = try #require(Evaluation(check: "moire", threshold: nil, trials: Self.trials).curve)
    // Of nine pairs, attacks score higher in 0.9>0.1, 0.9>0.4, 0.9>0.8, 0.4>0.1, 0.2>0.1, and one is a tie.
    #expect(abs(curve.auc - 5.5 / 9) < 1e-12)
    #expect(curve.points.first.map { $0.apcer == 0 && $0.bpcer == 1 } == true)
    #expect(curve.points.last.map { $0.apcer == 1 && $0.bpcer == 0 } == true)
  }

  @Test func `perfect separation has no equal error rate`() throws {
    let trials = [
      Self.trial("real", 0, .genuine), Self.trial("real", 1, .genuine), Self.trial("screen", 2, .suspect),
    ]
    let curve = try #require(Evaluation(check: "x", threshold: nil, trials: trials).curve)
    #expect(curve.auc == 1)
    #expect(curve.eer == 0)
  }

  @Test func `a check without responses has non-response rates only`() {
    let trials = [Self.trial("genuine", nil, .notAssessed), Self.trial("screen", nil, .notAssessed)]
    let found = Evaluation(check: "moire", threshold: 1, trials: trials)
    #expect(found.bpnrr == ErrorRate(1, of: 1) && found.apnrr == ErrorRate(1, of: 1))
    #expect(found.bpcer.value == nil && found.apcer.value == nil && found.curve == nil)
    let page = HTMLReport.page(title: "t", notes: [], evaluations: [found])
    let all = "<td>100.0 % <small>1/1 [2.5 %, 100.0 %]</small>"
    #expect(page.contains("<td>–<td>–<td>–<td>–<td>–\(all)\(all)<td>–<td>–</tr>"))
  }

  @Test(arguments: [
    ("genuine", true), ("Genuine_face", true), ("bona fide", true), ("bonafide", true), ("real-2", true),
    ("live", true), ("realistic-mask", false), ("liveportrait", false), ("genuinely printed", false),
    ("bonanza", false), ("", false),
  ])
  func `a label is bona fide if its first word says so`(label: String, isBonaFide: Bool) {
    #expect(Presentation.isBonaFide(label) == isBonaFide)
  }

  @Test func `the report escapes names as text`() {
    let trials = [Self.trial("genuine", 0, .genuine), Self.trial("<script>\"x\"", 1, .suspect)]
    let page = HTMLReport.page(
      title: "a & b", notes: [], evaluations: [Evaluation(check: "moire", threshold: 1, trials: trials)])
    #expect(!page.contains("<script>"))
    #expect(page.contains("&lt;script&gt;&quot;x&quot;"))
    #expect(page.contains("a &amp; b"))
    #expect(page.contains("<svg"))
    #expect(!page.contains("http"))
  }
}

@Suite struct `Manifest parsing` {
  static func rows(_ text: String) throws -> [Manifest.Row] { try Manifest(text, checks: ["moire"]).rows }

  @Test func `columns can be in any order`() throws {
    let rows = try Self.rows("label\tnote\tpath\nscreen\tx\ta/b.jpg\r\n\ngenuine\t\tc.jpg\n")
    #expect(rows.map(\.path) == ["a/b.jpg", "c.jpg"])
    #expect(rows.map(\.source) == ["a", "all"])
    #expect(rows.map(\.label) == ["screen", "genuine"])
  }

  @Test func `a check's column contains measures and can be empty`() throws {
    let manifest = try Manifest("path\tlabel\tsource\tmoire\na\tx\ts\t1.5\nb\tx\ts\t\n", checks: ["moire"])
    #expect(manifest.given == ["moire"])
    #expect(manifest.rows[0].measures["moire"] == 1.5)
    #expect(manifest.rows[1].measures["moire"] == .some(nil))
  }

  @Test(arguments: [
    ("", Manifest.FormatError.noColumn("path")), ("path\n", .noColumn("label")), ("path\tlabel\n", .noRows),
    ("path\tlabel\nx\n", .tooFewCells(line: 2)), ("path\tlabel\n../x\ty\n", .badPath(line: 2)),
    ("path\tlabel\n\ty\n", .badPath(line: 2)),
    ("path\tlabel\tmoire\nx\ty\tnan\n", .badNumber(line: 2, column: "moire")),
  ])
  func `errors are reported with their location`(text: String, fault: Manifest.FormatError) {
    #expect(throws: fault) { try Self.rows(text) }
  }
}
