/// Set of values that a sensor's samples can have; the codec encodes a value's index in this set.
///
/// Phones measure in meters as 16-bit floats, and apps convert them to integer steps: at two meters, only every second
/// millimeter occurs. The index among the possible values takes fewer bits than the value itself.
struct ValueQuantizer: Sendable, Equatable {
  enum Kind: UInt8, Sendable {
    /// Every value is its own index.
    case every = 0
    /// 16-bit floats in meters, rounded to the nearest step, halves up.
    case roundedHalves = 1
    /// 16-bit floats in meters, truncated to integer steps.
    case cutHalves = 2
    /// Only the values in an explicit list.
    case listed = 3
  }

  let kind: Kind
  /// Values in ascending order, padded with zeros to 65536, so that any index is in bounds; empty for `every`.
  let values: ContiguousArray<UInt16>
  /// Number of values.
  let count: Int
  /// Index of each value, or 65535 if it cannot occur; empty for `every`.
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

  /// Returns the values of 16-bit floats in meters at `micrometersPerStep`, including zero.
  static func halves(cut: Bool, micrometersPerStep: Int) -> ValueQuantizer {
    switch (micrometersPerStep, cut) {
    case (1000, false): millimeters
    case (1000, true): cutMillimeters
    case (100, false): tenths
    case (100, true): cutTenths
    default: makeHalves(cut: cut, micrometersPerStep: micrometersPerStep)
    }
  }

  // Cached quantizers of common resolutions.
  private static let millimeters = makeHalves(cut: false, micrometersPerStep: 1000)
  private static let cutMillimeters = makeHalves(cut: true, micrometersPerStep: 1000)
  private static let tenths = makeHalves(cut: false, micrometersPerStep: 100)
  private static let cutTenths = makeHalves(cut: true, micrometersPerStep: 100)

  private static func makeHalves(cut: Bool, micrometersPerStep: Int) -> ValueQuantizer {
    let stepsPerMeter = 1_000_000 / Double(micrometersPerStep)
    var values: ContiguousArray<UInt16> = []
    for bits in 0..<0x7C00 {
      let exponent = bits >> 10
      let fraction = Double(bits & 1023)
      let unit = Double(sign: .plus, exponent: max(exponent, 1) - 25, significand: 1)
      let meters = (exponent == 0 ? fraction : 1024 + fraction) * unit
      let steps = (meters * stepsPerMeter + (cut ? 0 : 0.5)).rounded(.down)
      guard steps <= 65535 else { break }
      if values.last != UInt16(steps) { values.append(UInt16(steps)) }
    }
    // With very small steps, every second float may have a distinct value; there are never more than 65 535.
    return ValueQuantizer(cut ? .cutHalves : .roundedHalves, values)
  }

  /// Returns the values that occur if they are at most half of the range between the smallest and the largest; nil
  /// otherwise.
  static func listed(_ samples: ContiguousArray<UInt16>) -> ValueQuantizer? {
    var occurs = ContiguousArray<Bool>(repeating: false, count: 65536)
    for sample in samples { occurs[Int(sample)] = true }
    let values = ContiguousArray((0..<65536).filter { occurs[$0] }.map { UInt16($0) })
    guard let first = values.first(where: { $0 > 0 }), let last = values.last,
      values.count * 2 <= Int(last) - Int(first) + 1
    else { return nil }
    return ValueQuantizer(.listed, values)
  }

  /// Writes the list of a `listed` quantizer: the number of values, then the difference of each from the previous one.
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
