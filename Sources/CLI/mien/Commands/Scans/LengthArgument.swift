import ArgumentParser

/// Length argument with a unit: `2mm`, `0.5cm`, `0.002m`; a bare number is in millimeters.
struct LengthArgument: ExpressibleByArgument, Hashable {
  let meters: Float

  init?(argument: String) {
    let text = argument.lowercased()
    let units: [(suffix: String, meters: Double)] = [("mm", 0.001), ("cm", 0.01), ("m", 1), ("", 0.001)]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      let number = Double(text.dropLast(unit.suffix.count)), number.isFinite, number > 0
    else { return nil }
    meters = Float(number * unit.meters)
  }
}
