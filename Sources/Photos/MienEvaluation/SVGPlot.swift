import Foundation

/// Renders curves as SVG.
enum SVGPlot {
  private static let side = 300.0
  private static let margin = 40.0

  /// Renders the ROC curve: detected attacks against false alarms, both from 0 to 1.
  static func roc(_ curve: DETCurve) -> String {
    let points = curve.points.map { (x: $0.bpcer, y: 1 - $0.apcer) }
    let ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map { (at: $0, label: HTMLReport.decimal($0, 1)) }
    return frame(
      title: "ROC, area \(HTMLReport.decimal(curve.auc, 3))", across: "BPCER", up: "1 − APCER", ticks: ticks,
      points: points, extra: line([(0, 0), (1, 1)], class: "none"))
  }

  /// Renders the DET curve: both errors on a normal-deviate scale, from 0.5 % to 95 %; normally distributed values give
  /// straight lines.
  static func det(_ curve: DETCurve) -> String {
    let (low, high) = (deviate(0.005), deviate(0.95))
    func scaled(_ share: Double) -> Double { (deviate(min(max(share, 0.005), 0.95)) - low) / (high - low) }
    let ticks = [0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95].map {
      (at: scaled($0), label: HTMLReport.decimal($0 * 100, 0) + " %")
    }
    return frame(
      title: "DET, equal errors \(HTMLReport.percent(curve.eer))", across: "BPCER", up: "APCER", ticks: ticks,
      points: curve.points.map { (x: scaled($0.bpcer), y: scaled($0.apcer)) },
      extra: line([(0, 0), (1, 1)], class: "none"))
  }

  private static func frame(
    title: String, across: String, up: String, ticks: [(at: Double, label: String)], points: [(x: Double, y: Double)],
    extra: String
  ) -> String {
    var axes = ""
    for tick in ticks {
      let (x, y) = place((tick.at, tick.at))
      axes += "<path d=\"M\(number(x)) 10V310M40 \(number(y))H340\" stroke=\"var(--line)\"/>"
      axes += "<text x=\"\(number(x))\" y=\"324\" text-anchor=\"middle\">\(tick.label)</text>"
      axes += "<text x=\"36\" y=\"\(number(y + 4))\" text-anchor=\"end\">\(tick.label)</text>"
    }
    return """
      <svg viewBox="0 0 350 350" role="img" aria-label="\(title)"><title>\(title)</title>\(axes)\(extra)\
      \(line(points, class: "curve"))<text x="190" y="342" text-anchor="middle">\(across)</text>\
      <text x="46" y="22">\(up)</text><text x="334" y="302" text-anchor="end">\(title)</text></svg>

      """
  }

  private static func line(_ points: [(x: Double, y: Double)], class kind: String) -> String {
    let path = points.map { point in
      let (x, y) = place((point.x, point.y))
      return "\(number(x)) \(number(y))"
    }.joined(separator: "L")
    let pen =
      kind == "curve" ? "stroke=\"var(--mark)\" stroke-width=\"2\"" : "stroke=\"var(--line)\" stroke-dasharray=\"4\""
    return "<path d=\"M\(path)\" fill=\"none\" \(pen)/>"
  }

  private static func place(_ point: (Double, Double)) -> (Double, Double) {
    (margin + point.0 * side, 10 + side - point.1 * side)
  }

  private static func number(_ value: Double) -> String { String((value * 10).rounded() / 10) }

  /// Returns the quantile of the standard normal distribution, by bisection of the error function.
  private static func deviate(_ share: Double) -> Double {
    var (low, high) = (-6.0, 6.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if 0.5 * erfc(-middle / 2.0.squareRoot()) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
