/// Renders evaluations as one self-contained HTML page.
public enum HTMLReport {
  /// - Parameters:
  ///   - title: name of the evaluation, for example of its manifest.
  ///   - notes: lines about the data and the run.
  public static func page(title: String, notes: [String], evaluations: [Evaluation]) -> String {
    var body = "<h1>\(text(title))</h1>\n"
    body += notes.map { "<p>\(text($0))</p>\n" }.joined()
    body += """
      <p>ISO/IEC 30107-3: APCER is the share of attacks not called suspect (genuine or undecided) of the species with which it is
      greatest, BPCER the share of bona fide presentations called suspect, both among those with an answer; APNRR and BPNRR
      are the shares without one. AUC and EER are over all species together. Brackets hold exact (Clopper–Pearson) 95 %
      intervals.</p>
      <table><tr><th>Check<th>Suspect from<th>APCER<th>BPCER<th>Attacks missed, all species<th>Attacks called genuine<th>Bona fide undecided<th>APNRR<th>BPNRR<th>AUC<th>EER</tr>

      """
    for evaluation in evaluations {
      body += "<tr><td><a href=\"#\(text(evaluation.check))\">\(text(evaluation.check))</a>"
      body += "<td>\(evaluation.threshold.map { decimal($0, 2) } ?? "")"
      body += cell(evaluation.apcer) + (evaluation.apcerSpecies.map { " <small>\(text($0))</small>" } ?? "")
      body += cell(evaluation.bpcer) + cell(evaluation.attacksMissed) + cell(evaluation.attacksCalledGenuine)
      body += cell(evaluation.bonaFideUndecided) + cell(evaluation.apnrr) + cell(evaluation.bpnrr)
      body += "<td>\(evaluation.curve.map { decimal($0.auc, 3) } ?? "–")"
      body += "<td>\(evaluation.curve.map { percent($0.eer) } ?? "–")</tr>\n"
    }
    body += "</table>\n"
    for evaluation in evaluations { body += section(evaluation) }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>\(text(title))</title><style>\(style)</style></head><body>
      \(body)</body></html>

      """
  }

  private static func section(_ evaluation: Evaluation) -> String {
    var body = "<section id=\"\(text(evaluation.check))\"><h2>\(text(evaluation.check))</h2>\n"
    if let curve = evaluation.curve {
      body += "<div class=\"plots\">" + SVGPlot.roc(curve) + SVGPlot.det(curve) + "</div>\n"
    }
    body += "<h3>By species</h3>\n<table><tr><th>Species<th>APCER<th>APNRR<th>AUC against all bona fide</tr>\n"
    for row in evaluation.species {
      body += "<tr><td>\(text(row.name))\(cell(row.apcer))\(cell(row.apnrr))<td>\(auc(row))</tr>\n"
    }
    body += "</table>\n<h3>By source</h3>\n<table><tr><th>Source<th>APCER<th>BPCER<th>APNRR<th>BPNRR<th>AUC</tr>\n"
    for row in evaluation.sources {
      body += "<tr><td>\(text(row.name))\(cell(row.apcer))\(cell(row.bpcer))\(cell(row.apnrr))\(cell(row.bpnrr))"
      body += "<td>\(auc(row))</tr>\n"
    }
    body += "</table>\n<h3>Answers</h3>\n<table><tr><th>Label<th>Class"
    body += Presentation.Answer.allCases.map { "<th>\($0.rawValue)" }.joined() + "</tr>\n"
    for row in evaluation.confusion {
      body += "<tr><td>\(text(row.label))<td>\(row.isAttack ? "attack" : "bona fide")"
      body += row.counts.map { "<td>\($0)" }.joined() + "</tr>\n"
    }
    body += "</table>\n<h3>Furthest on the wrong side</h3>\n<table><tr><th>File<th>Label<th>Measure<th>Answer</tr>\n"
    for trial in evaluation.worst {
      body += "<tr><td>\(text(trial.path))<td>\(text(trial.label))"
      body += "<td>\(trial.measure.map { decimal($0, 3) } ?? "")<td>\(trial.answer.rawValue)</tr>\n"
    }
    return body + "</table></section>\n"
  }

  private static func auc(_ row: Evaluation.Row) -> String { row.auc.map { decimal($0, 3) } ?? "–" }

  /// Renders a rate with its counts and interval as a table cell.
  private static func cell(_ rate: ErrorRate) -> String {
    guard let value = rate.value else { return "<td>–" }
    return
      "<td>\(percent(value)) <small>\(rate.errors)/\(rate.of) [\(percent(rate.lower)), \(percent(rate.upper))]</small>"
  }

  static func percent(_ share: Double) -> String { decimal(share * 100, 1) + " %" }

  /// Formats a number with a fixed number of decimals, independent of the C library's locale.
  static func decimal(_ value: Double, _ places: Int) -> String {
    guard value.isFinite, abs(value) < 1e12 else { return "–" }
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    let whole = Int((abs(value) * Double(unit)).rounded())
    let digits = String(whole % unit)
    let sign = value < 0 && whole > 0 ? "−" : ""
    guard places > 0 else { return "\(sign)\(whole)" }
    return "\(sign)\(whole / unit)." + String(repeating: "0", count: places - digits.count) + digits
  }

  /// Escapes text for HTML.
  public static func text(_ raw: String) -> String {
    var safe = ""
    for character in raw {
      switch character {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\"": safe += "&quot;"
      default: safe.append(character)
      }
    }
    return safe
  }

  private static let style = """
    :root{color-scheme:light dark;--line:#8884;--mark:#2563eb}body{font:15px/1.5 system-ui,sans-serif;max-width:75rem;
    margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;margin:.5rem 0 1.5rem;display:block;overflow-x:auto}
    th,td{border-bottom:1px solid var(--line);padding:.3rem .7rem;text-align:left;white-space:nowrap;
    font-variant-numeric:tabular-nums}small{opacity:.7}.plots{display:flex;flex-wrap:wrap;gap:2rem}
    svg{width:22rem;max-width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:currentColor}
    section{border-top:2px solid var(--line);margin-top:2rem}@media print{section{break-inside:avoid}}
    """
}
