import MienCore
import MienEvaluation
import Testing

@Suite struct `Table of templates` {
  private static let header = "id\tperson\tclip\tlabel\tliveness\ttemplate\n"

  @Test func `the table is written and read back`() throws {
    let text =
      Self.header + "1\tA\ta\t\tpassed\t\(TemplateSamples.text(0))\n"
      + "2\tA\ta\t\tpassed\t\r\n\n3\tA\tr\treplay\tfailed\t\(TemplateSamples.text(0, tilt: 0.3))\n"
    let table = try TemplateManifest(text)
    #expect(TemplateManifest.isTemplateTable(text) && table.hasLiveness && table.model == nil)
    #expect(
      table.rows.map(\.id) == ["1", "2", "3"] && table.rows.map(\.label) == ["bona-fide", "bona-fide", "replay"])
    #expect(table.rows.map(\.liveness) == [.passed, .passed, .failed])
    #expect(table.rows[0].template != nil && table.rows[1].template == nil)
    let read = try TemplateManifest(table.text)
    #expect(read.rows.map(\.id) == table.rows.map(\.id) && read.rows[1].template == nil)
    let (one, other) = (try #require(read.rows[2].template), try #require(table.rows[2].template))
    #expect(one.similarity(to: other) > 0.999_99)
  }

  @Test func `printing reveals no template`() throws {
    let table = try TemplateManifest(Self.header + "1\tA\ta\t\t\t\(TemplateSamples.text(0))\n")
    var dumped = ""
    dump(table, to: &dumped)
    for text in ["\(table)", String(reflecting: table), dumped] {
      #expect(text.contains("withheld") && !text.contains("1.0"))
    }
  }

  private static let good = TemplateSamples.text(0)
  private static let short = good.split(separator: " ").dropLast().joined(separator: " ")

  @Test(
    arguments: [
      ("", MatchTableError.noColumn("id")), ("id\tperson\tclip\n", .noColumn("template")), (header, .noRows),
      ("id\tid\tperson\tclip\ttemplate\n", .repeatedColumn("id")),
      (header + "1\tA\ta\n", .tooFewCells(line: 2)),
      (header + "\tA\ta\t\t\t\n", .emptyCell(line: 2, column: "id")),
      (header + "1\t\ta\t\t\t\n", .emptyCell(line: 2, column: "person")),
      (header + "1\tA\t\t\t\t\n", .emptyCell(line: 2, column: "clip")),
      (header + "1\tA\ta\t\tyes\t\n", .badLiveness(line: 2)),
      (header + "1\tA\ta\t\t\t\(short)\n", .wrongCount(line: 2, count: 127, expected: 128)),
      (header + "1\tA\ta\t\t\t\(good) 0\n", .wrongCount(line: 2, count: 129, expected: 128)),
      (header + "1\tA\ta\t\t\t0 nan\n", .badNumber(line: 2, position: 2)),
      (header + "1\tA\ta\t\t\t1e99\n", .badNumber(line: 2, position: 1)),
      (header + "1\tA\ta\t\t\tx\n", .badNumber(line: 2, position: 1)),
      (header + "1\tA\ta\t\t\t\(TemplateSamples.text(200))\n", .noDirection(line: 2)),
      (header + "1\tA\ta\t\t\t\n2\tA\tb\t\t\t\n1\tB\tc\t\t\t\n", .repeatedID(line: 4, earlier: 2)),
      (header + "1\tA\ta\t\t\t\(good)\n2\tB\tb\t\t\t\(good)\n", .repeatedTemplate(line: 3, earlier: 2)),
      (header + "1\tA\ta\t\t\t\n2\tB\ta\t\t\t\n", .contradiction(line: 3, column: "person", earlier: 2)),
      (header + "1\tA\ta\t\t\t\n2\tA\ta\treplay\t\t\n", .contradiction(line: 3, column: "label", earlier: 2)),
      (header + "1\tA\ta\t\t\t\n2\tA\ta\t\tfailed\t\n", .contradiction(line: 3, column: "liveness", earlier: 2)),
      (
        "id\tperson\tclip\tmodel\ttemplate\n1\tA\ta\tx\t\n2\tA\tb\ty\t\n", .severalModels(line: 3)
      ),
    ] as [(String, MatchTableError)]) func `an invalid table is rejected with its line`(
      text: String, error: MatchTableError
    )
  {
    #expect(throws: error) { try TemplateManifest(text) }
  }

  @Test func `tables that would take too long are rejected`() {
    let rows = (0...TemplateManifest.mostRows).map { "\($0)\tA\ta\t\t\t\n" }.joined()
    #expect(throws: MatchTableError.tooManyRows(limit: TemplateManifest.mostRows)) {
      try TemplateManifest(Self.header + rows)
    }
    let clips = (0...TemplateManifest.mostClips).map { "\($0)\tA\tc\($0)\t\t\t\n" }.joined()
    #expect(throws: MatchTableError.tooManyClips(limit: TemplateManifest.mostClips)) {
      try TemplateManifest(Self.header + clips)
    }
  }
}

@Suite struct `Table of clips` {
  @Test func `a file is its own clip unless the table says otherwise`() throws {
    let text = "path\tperson\tclip\tlabel\tliveness\na.mp4\tA\t\t\tpassed\nb/c.jpg\tB\tset\treplay\t\n"
    #expect(!TemplateManifest.isTemplateTable(text))
    let table = try ClipManifest(text)
    #expect(table.rows.map(\.clip) == ["a.mp4", "set"] && table.rows.map(\.label) == ["bona-fide", "replay"])
    #expect(table.rows.map(\.liveness) == [.passed, nil])
    #expect(try ClipManifest("person\tpath\nA\ta.jpg\n").rows.first?.person == "A")
  }

  @Test(
    arguments: [
      ("path\n", MatchTableError.noColumn("person")), ("path\tperson\n", .noRows),
      ("path\tperson\n../a.jpg\tA\n", .badPath(line: 2)), ("path\tperson\n\tA\n", .badPath(line: 2)),
      ("path\tperson\na.jpg\t\n", .emptyCell(line: 2, column: "person")),
      ("path\tperson\na.jpg\tA\na.jpg\tB\n", .repeatedID(line: 3, earlier: 2)),
      ("path\tperson\tliveness\na.jpg\tA\tno\n", .badLiveness(line: 2)),
    ] as [(String, MatchTableError)]) func `an invalid table is rejected with its line`(
      text: String, error: MatchTableError
    )
  {
    #expect(throws: error) { try ClipManifest(text) }
  }
}
