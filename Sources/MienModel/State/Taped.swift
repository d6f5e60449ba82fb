/// A part of a machine's state that goes over a ``StateTape``.
public protocol Taped {
  /// Passes all that changes of it over the tape, in an order that never depends on what is only known later.
  mutating func pass(over tape: inout StateTape)
}

/// A part that can be made before it is read.
public protocol TapedValue: Taped {
  /// Any value at all: it is read over.
  static var blank: Self { get }
}

extension Bool: TapedValue {
  public static var blank: Bool { false }
  public mutating func pass(over tape: inout StateTape) {
    var number = UInt64(self ? 1 : 0)
    tape.pass(raw: &number, count: 1)
    tape.require(number <= 1)
    self = number == 1
  }
}

extension TapedValue where Self: FixedWidthInteger {
  /// Zigzag: small numbers take few bytes, whatever their sign.
  public mutating func pass(over tape: inout StateTape) {
    let wide = Int64(truncatingIfNeeded: self)
    var number = UInt64(bitPattern: (wide << 1) ^ (wide >> 63))
    tape.pass(short: &number)
    guard tape.isReading else { return }
    let read = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    let fitting = Self(exactly: read)
    tape.require(fitting != nil)
    if let fitting { self = fitting }
  }
  public static var blank: Self { 0 }
}

extension UInt8: TapedValue {
  public static var blank: UInt8 { 0 }
  public mutating func pass(over tape: inout StateTape) {
    var number = UInt64(self)
    tape.pass(raw: &number, count: 1)
    self = UInt8(truncatingIfNeeded: number)
  }
}

extension Int: TapedValue {}
extension Int64: TapedValue {}
extension Int16: TapedValue {}
extension Int8: TapedValue {}
extension UInt16: TapedValue {}
extension UInt32: TapedValue {}

extension Float: TapedValue {
  public static var blank: Float { 0 }
  public mutating func pass(over tape: inout StateTape) {
    var bits = UInt64(bitPattern)
    tape.pass(raw: &bits, count: 4)
    self = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }
}

extension Double: TapedValue {
  public static var blank: Double { 0 }
  public mutating func pass(over tape: inout StateTape) {
    var bits = bitPattern
    tape.pass(raw: &bits, count: 8)
    self = Double(bitPattern: bits)
  }
}

extension String: TapedValue {
  public static var blank: String { "" }
  public mutating func pass(over tape: inout StateTape) {
    var bytes = Array(utf8)
    tape.pass(&bytes)
    if tape.isReading { self = String(decoding: bytes, as: UTF8.self) }
  }
}

extension Instant: TapedValue {
  public static var blank: Instant { .zero }
  public mutating func pass(over tape: inout StateTape) { tape.pass(&self) }
}

extension Interval: TapedValue {
  public static var blank: Interval { .zero }
  public mutating func pass(over tape: inout StateTape) {
    var nanoseconds = self.nanoseconds
    tape.pass(&nanoseconds)
    self = Interval(nanoseconds: nanoseconds)
  }
}

extension Optional: Taped, TapedValue where Wrapped: TapedValue {
  public static var blank: Wrapped? { nil }
  public mutating func pass(over tape: inout StateTape) {
    var isThere = self != nil
    tape.pass(&isThere)
    guard isThere else {
      self = nil
      return
    }
    var value: Wrapped = self ?? .blank
    tape.pass(&value)
    self = value
  }
}

extension TapedValue where Self: RangeReplaceableCollection & MutableCollection, Element: TapedValue {
  public mutating func pass(over tape: inout StateTape) {
    var count = self.count
    tape.pass(&count)
    guard tape.isReading else {
      for index in indices { tape.pass(&self[index]) }
      return
    }
    // Nothing takes less than a byte.
    tape.require((0...tape.left).contains(count))
    removeAll(keepingCapacity: true)
    while tape.isSound, self.count < count {
      var element = Element.blank
      tape.pass(&element)
      append(element)
    }
  }
  public static var blank: Self { Self() }
}

extension Array: Taped, TapedValue where Element: TapedValue {}
extension ContiguousArray: Taped, TapedValue where Element: TapedValue {}

extension TapedValue where Self: SIMD, Scalar: TapedValue {
  public mutating func pass(over tape: inout StateTape) {
    for index in indices { tape.pass(&self[index]) }
  }
  public static var blank: Self { Self() }
}

extension SIMD2: Taped, TapedValue where Scalar: TapedValue {}
extension SIMD3: Taped, TapedValue where Scalar: TapedValue {}
extension SIMD4: Taped, TapedValue where Scalar: TapedValue {}
extension SIMD8: Taped, TapedValue where Scalar: TapedValue {}
extension SIMD16: Taped, TapedValue where Scalar: TapedValue {}
extension SIMD32: Taped, TapedValue where Scalar: TapedValue {}
