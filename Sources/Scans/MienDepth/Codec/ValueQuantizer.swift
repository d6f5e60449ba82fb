/// The values that a sensor's samples can have, so that what is coded is a value's number among them.
///
/// Phones measure in metres as 16-bit floats and apps turn them into whole steps: at two metres only every second
/// millimetre occurs. The number of a value among those that can occur takes fewer bits than the value.
struct ValueQuantizer: Sendable, Equatable {
  enum Kind: UInt8, Sendable {
    /// Every value is its own number.
    case every = 0
    /// 16-bit floats in metres, rounded to the nearest step, halves up.
    case roundedHalves = 1
    /// 16-bit floats in metres, cut to whole steps.
    case cutHalves = 2
    /// Just the values that a list names.
    case listed = 3
  }

  let kind: Kind
  /// The values in rising order, filled up with zeros to 65536, so that any number finds a place; empty for `every`.
  let values: ContiguousArray<UInt16>
  /// How many values there are.
  let count: Int
  /// The number of each value, 65535 when it cannot occur; empty for `every`.
  let numbers: ContiguousArray<UInt16>

  static let every = ValueQuantizer(.every, [])

  private init(_ kind: Kind, _ values: ContiguousArray<UInt16>) {
    self.kind = kind
    guard kind != .every else {
      (self.values, numbers, count) = ([], [], 65536)
      return
    }
    self.values = values + repeatElement(0, count: 65536 - values.count)
    count = values.count
    var numbers = ContiguousArray<UInt16>(repeating: .max, count: 65536)
    for (number, value) in values.enumerated() { numbers[Int(value)] = UInt16(number) }
    self.numbers = numbers
  }

  /// The values of 16-bit floats in metres at `micrometresPerStep`, zero with them.
  static func halves(cut: Bool, micrometersPerStep: Int) -> ValueQuantizer {
    switch (micrometersPerStep, cut) {
    case (1000, false): millimeters
    case (1000, true): cutMillimeters
    case (100, false): tenths
    case (100, true): cutTenths
    default: makeHalves(cut: cut, micrometersPerStep: micrometersPerStep)
    }
  }

  // The usual ones are made once.
  private static let millimeters = makeHalves(cut: false, micrometersPerStep: 1000)
  private static let cutMillimeters = makeHalves(cut: true, micrometersPerStep: 1000)
  private static let tenths = makeHalves(cut: false, micrometersPerStep: 100)
  private static let cutTenths = makeHalves(cut: true, micrometersPerStep: 100)

  private static func makeHalves(cut: Bool, micrometersPerStep: Int) -> ValueQuantizer {
    let stepsPerMetre = 1_000_000 / Double(micrometersPerStep)
    var values: ContiguousArray<UInt16> = []
    for bits in 0..<0x7C00 {
      let exponent = bits >> 10
      let fraction = Double(bits & 1023)
      let unit = Double(sign: .plus, exponent: max(exponent, 1) - 25, significand: 1)
      let meters = (exponent == 0 ? fraction : 1024 + fraction) * unit
      let steps = (meters * stepsPerMetre + (cut ? 0 : 0.5)).rounded(.down)
      guard steps <= 65535 else { break }
      if values.last != UInt16(steps) { values.append(UInt16(steps)) }
    }
    // With very small steps every second float may have a value of its own; more than 65 535 there never are.
    return ValueQuantizer(cut ? .cutHalves : .roundedHalves, values)
  }

  /// The values that occur, when they are at most half of those between the smallest and the largest; else nil.
  static func listed(_ samples: ContiguousArray<UInt16>) -> ValueQuantizer? {
    var occurs = ContiguousArray<Bool>(repeating: false, count: 65536)
    for sample in samples { occurs[Int(sample)] = true }
    let values = ContiguousArray((0..<65536).filter { occurs[$0] }.map { UInt16($0) })
    guard let first = values.first(where: { $0 > 0 }), let last = values.last,
      values.count * 2 <= Int(last) - Int(first) + 1
    else { return nil }
    return ValueQuantizer(.listed, values)
  }

  /// The list of a `listed` lattice: how many values, then the distance of each from the one before.
  func write(to bytes: inout [UInt8]) {
    bytes.appendVariable(count)
    var before = 0
    for value in values.prefix(count) {
      bytes.appendVariable(Int(value) - before)
      before = Int(value)
    }
  }

  static func readList(_ cursor: inout LittleEndianReader) throws(DepthCodecError) -> ValueQuantizer {
    let count = try cursor.variable()
    guard (1...32768).contains(count) else { throw .damaged("the list of values") }
    var values: ContiguousArray<UInt16> = []
    var value = 0
    for index in 0..<count {
      let distance = try cursor.variable()
      value += distance
      guard value <= 65535, distance > 0 || index == 0 else { throw .damaged("the list of values") }
      values.append(UInt16(value))
    }
    return ValueQuantizer(.listed, values)
  }
}
