/// Carries the state of machines into bytes, and out of them again in the same order.
///
/// A machine says once what it is made of, by passing its parts over the tape; whether they are written or read is the
/// tape's affair. Whole numbers take as few bytes as they need, broken ones keep every bit. Instants are kept relative to
/// the instant of the tape, since the clocks of two processes have different origins.
///
/// What cannot be read makes the tape unsound once and for all; the value that was read into is then worth nothing.
public struct BinaryStateCoder: Sendable {
  public let isReading: Bool
  /// What was written, or is read.
  public private(set) var bytes: [UInt8]
  /// False from the first thing on that could not be read.
  public private(set) var isSound = true
  private var place = 0
  private let base: MonotonicInstant

  /// A tape to write on.
  ///
  /// - Parameter base: when the state is that of, on the clock of whoever writes.
  public init(writingAt base: MonotonicInstant) {
    isReading = false
    bytes = []
    self.base = base
  }

  /// A tape to read from.
  ///
  /// - Parameter base: when the state was that of, on the clock of whoever reads.
  public init(reading bytes: [UInt8], at base: MonotonicInstant) {
    isReading = true
    self.bytes = bytes
    self.base = base
  }

  /// True when all that was read could be read and nothing is left.
  public var isReadToTheEnd: Bool { isSound && place == bytes.count }

  /// How many bytes are left to be read.
  var left: Int { isReading ? bytes.count - place : 0 }

  /// Passes one part of a state over the tape.
  public mutating func pass(_ part: inout some BinaryStateCodable) { part.pass(over: &self) }

  /// Makes the tape unsound unless what was read is possible.
  public mutating func require(_ isPossible: Bool) {
    if isReading, !isPossible { isSound = false }
  }

  /// Bytes as they are, in the same number.
  mutating func pass(raw value: inout UInt64, count: Int) {
    guard isReading else {
      for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))) }
      return
    }
    require(left >= count)
    guard isSound else { return }
    value = 0
    for byte in 0..<count { value |= UInt64(bytes[place + byte]) << UInt64(8 * byte) }
    place += count
  }

  /// A number in seven bits a byte, the lowest first, as few as it needs (LEB128).
  mutating func pass(short value: inout UInt64) {
    guard isReading else {
      var rest = value
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
      return
    }
    var (read, shift) = (UInt64(0), UInt64(0))
    while isSound {
      require(left > 0 && shift < 64)
      guard isSound else { return }
      let byte = bytes[place]
      place += 1
      read |= UInt64(byte & 0x7F) << shift
      shift += 7
      guard byte & 0x80 != 0 else {
        value = read
        return
      }
    }
  }

  mutating func pass(_ instant: inout MonotonicInstant) {
    var offset = Int(instant.nanoseconds &- base.nanoseconds)
    pass(&offset)
    instant = MonotonicInstant(nanoseconds: base.nanoseconds &+ Int64(offset))
  }

  /// One of a closed set, by its place in it.
  public mutating func pass<Choice: CaseIterable & Equatable>(choice: inout Choice) {
    let all = Array(Choice.allCases)
    var index = isReading ? 0 : all.firstIndex(of: choice) ?? all.count
    pass(&index)
    require(all.indices.contains(index))
    if isReading, isSound { choice = all[index] }
  }

  /// One of a closed set, or none.
  public mutating func pass<Choice: CaseIterable & Equatable>(choice: inout Choice?) {
    let all = Array(Choice.allCases)
    var number = choice.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? .zero
    pass(&number)
    require((0...all.count).contains(number))
    if isReading, isSound { choice = number == 0 ? nil : all[number - 1] }
  }

  /// A list whose length both sides know.
  public mutating func pass<Element: BinaryStateCodable>(fixed list: inout ContiguousArray<Element>) {
    for index in list.indices { pass(&list[index]) }
  }
}
