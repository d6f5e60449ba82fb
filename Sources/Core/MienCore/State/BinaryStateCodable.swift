/// A part of a state machine's state that ``BinaryStateCoder`` can encode and decode.
public protocol BinaryStateCodable {
  /// Encodes or decodes all mutable state, in an order that never depends on values that are decoded later.
  mutating func pass(over coder: inout BinaryStateCoder)
}

/// A state value that can be created before it is decoded.
public protocol BinaryStateValue: BinaryStateCodable {
  /// A placeholder that decoding overwrites.
  static var blank: Self { get }
}

extension Bool: BinaryStateValue {
  public static var blank: Bool { false }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var number = UInt64(self ? 1 : 0)
    coder.pass(raw: &number, count: 1)
    coder.require(number <= 1)
    self = number == 1
  }
}

extension BinaryStateValue where Self: FixedWidthInteger {
  /// Zigzag encoding: numbers of small magnitude take few bytes, whatever their sign.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    let wide = Int64(truncatingIfNeeded: self)
    var number = UInt64(bitPattern: (wide << 1) ^ (wide >> 63))
    coder.pass(short: &number)
    guard coder.isReading else { return }
    let read = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    let fitting = Self(exactly: read)
    coder.require(fitting != nil)
    if let fitting { self = fitting }
  }
  public static var blank: Self { 0 }
}

extension UInt8: BinaryStateValue {
  public static var blank: UInt8 { 0 }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var number = UInt64(self)
    coder.pass(raw: &number, count: 1)
    self = UInt8(truncatingIfNeeded: number)
  }
}

extension Int: BinaryStateValue {}
extension Int64: BinaryStateValue {}
extension Int16: BinaryStateValue {}
extension Int8: BinaryStateValue {}
extension UInt16: BinaryStateValue {}
extension UInt32: BinaryStateValue {}

extension Float: BinaryStateValue {
  public static var blank: Float { 0 }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var bits = UInt64(bitPattern)
    coder.pass(raw: &bits, count: 4)
    self = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
  }
}

extension Double: BinaryStateValue {
  public static var blank: Double { 0 }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var bits = bitPattern
    coder.pass(raw: &bits, count: 8)
    self = Double(bitPattern: bits)
  }
}

extension String: BinaryStateValue {
  public static var blank: String { "" }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var bytes = Array(utf8)
    coder.pass(&bytes)
    if coder.isReading { self = String(decoding: bytes, as: UTF8.self) }
  }
}

extension MonotonicInstant: BinaryStateValue {
  public static var blank: MonotonicInstant { .zero }
  public mutating func pass(over coder: inout BinaryStateCoder) { coder.pass(&self) }
}

extension Interval: BinaryStateValue {
  public static var blank: Interval { .zero }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var nanoseconds = self.nanoseconds
    coder.pass(&nanoseconds)
    self = Interval(nanoseconds: nanoseconds)
  }
}

extension Optional: BinaryStateCodable, BinaryStateValue where Wrapped: BinaryStateValue {
  public static var blank: Wrapped? { nil }
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var isThere = self != nil
    coder.pass(&isThere)
    guard isThere else {
      self = nil
      return
    }
    var value: Wrapped = self ?? .blank
    coder.pass(&value)
    self = value
  }
}

extension BinaryStateValue where Self: RangeReplaceableCollection & MutableCollection, Element: BinaryStateValue {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var count = self.count
    coder.pass(&count)
    guard coder.isReading else {
      for index in indices { coder.pass(&self[index]) }
      return
    }
    // Every element takes at least one byte.
    coder.require((0...coder.left).contains(count))
    removeAll(keepingCapacity: true)
    while coder.isSound, self.count < count {
      var element = Element.blank
      coder.pass(&element)
      append(element)
    }
  }
  public static var blank: Self { Self() }
}

extension Array: BinaryStateCodable, BinaryStateValue where Element: BinaryStateValue {}
extension ContiguousArray: BinaryStateCodable, BinaryStateValue where Element: BinaryStateValue {}

extension BinaryStateValue where Self: SIMD, Scalar: BinaryStateValue {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    for index in indices { coder.pass(&self[index]) }
  }
  public static var blank: Self { Self() }
}

extension SIMD2: BinaryStateCodable, BinaryStateValue where Scalar: BinaryStateValue {}
extension SIMD3: BinaryStateCodable, BinaryStateValue where Scalar: BinaryStateValue {}
extension SIMD4: BinaryStateCodable, BinaryStateValue where Scalar: BinaryStateValue {}
extension SIMD8: BinaryStateCodable, BinaryStateValue where Scalar: BinaryStateValue {}
extension SIMD16: BinaryStateCodable, BinaryStateValue where Scalar: BinaryStateValue {}
extension SIMD32: BinaryStateCodable, BinaryStateValue where Scalar: BinaryStateValue {}
