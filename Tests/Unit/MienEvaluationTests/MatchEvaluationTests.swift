import MienEvaluation
import Testing

@Suite struct `Evaluation of labeled pairs` {
  private static let table = """
    first\tsecond\tsame\tsimilarity
    a.jpg\tb.jpg\tyes\t0.8
    a.jpg\tc.jpg\tyes\t0.3
    a.jpg\td.jpg\tno\t0.4
    a.jpg\te.jpg\tno\t0.1
    a.jpg\tf.jpg\tno\t-0.2
    a.jpg\tg.jpg\tno\t
    """

  @Test func `rates are counted by hand`() throws {
    let manifest = try PairManifest(Self.table)
    #expect(manifest.hasSimilarities && manifest.pairs.count == 6)
    let result = MatchEvaluation(manifest.pairs, thresholds: [0.363, 0.5])
    #expect(result.rows[0].falseMatches == ErrorRate(1, of: 3) && result.rows[0].falseNonMatches == ErrorRate(1, of: 2))
    #expect(result.rows[1].falseMatches == ErrorRate(0, of: 3) && result.rows[1].falseNonMatches == ErrorRate(1, of: 2))
    #expect(result.differentNotAssessed == ErrorRate(1, of: 4) && result.sameNotAssessed == ErrorRate(0, of: 2))
    #expect(result.lowestSame == 0.3 && result.highestDifferent == 0.4)
    // Of the six combinations, 0.3 against 0.4 is wrong.
    #expect(abs((result.auc ?? 0) - 5.0 / 6) < 1e-9)
  }

  @Test func `the table is written and read back`() throws {
    let manifest = try PairManifest(Self.table)
    #expect(try PairManifest(manifest.text) == manifest)
    let bare = try PairManifest("same\tsecond\tfirst\nno\tx\ty\n")
    #expect(!bare.hasSimilarities && bare.pairs == [.init(first: "y", second: "x", isSamePerson: false)])
  }

  @Test(
    arguments: [
      ("first\tsecond\n", Manifest.FormatError.noColumn("same")), ("first\tsecond\tsame\n", .noRows),
      ("first\tsecond\tsame\na\tb\n", .tooFewCells(line: 2)),
      ("first\tsecond\tsame\n../a\tb\tyes\n", .badPath(line: 2)),
      ("first\tsecond\tsame\na\t\tyes\n", .badPath(line: 2)),
      ("first\tsecond\tsame\na\tb\tmaybe\n", .badAnswer(line: 2, column: "same")),
      ("first\tsecond\tsame\tsimilarity\na\tb\tyes\t2\n", .badNumber(line: 2, column: "similarity")),
      ("first\tsecond\tsame\tsimilarity\na\tb\tyes\tnan\n", .badNumber(line: 2, column: "similarity")),
    ] as [(String, Manifest.FormatError)]) func `a wrong table names its line`(
      text: String, error: Manifest.FormatError
    )
  {
    #expect(throws: error) { try PairManifest(text) }
  }
}
