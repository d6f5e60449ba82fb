/// Encodes the state of state machines into bytes, and decodes it in the same order.
///
/// A type lists its parts once, in ``BinaryStateCodable/pass(over:)``; the coder decides whether they are written or
/// read. Integers take as few bytes as they need; floating-point numbers keep every bit. Instants are stored relative
/// to the coder's instant, since the clocks of two processes have different origins.
///
/// A value that cannot be decoded makes the coder permanently unsound; the value being decoded is then unusable.
public struct BinaryStateCoder: Sendable {
  public let isReading: Bool
  /// The bytes written so far, or the bytes to read.
  public private(set) var bytes: [UInt8]
  /// `false` once a value could not be decoded.
  public private(set) var isSound = true
  private var place = 0
  private let base: MonotonicInstant

  /// Creates a coder that writes.
  ///
  /// - Parameter base: the time of the state, on the writing process's clock.
  public init(writingAt base: MonotonicInstant) {
    isReading = false
    bytes = []
    self.base = base
  }

  /// Creates a coder that reads.
  ///
  /// - Parameters:
  ///   - bytes: the encoded state.
  ///   - base: the time of the state, on the reading process's clock.
  public init(reading bytes: [UInt8], at base: MonotonicInstant) {
    isReading = true
    self.bytes = bytes
    self.base = base
  }

  /// `true` if everything was decoded successfully and no byte is left.
  public var isReadToTheEnd: Bool { isSound && place == bytes.count }

  /// Number of bytes left to read.
  var left: Int { isReading ? bytes.count - place : 0 }

  /// Encodes or decodes one part of the state.
  public mutating func pass(_ part: inout some BinaryStateCodable) { part.pass(over: &self) }

  /// Makes the coder unsound if a decoded value is not valid.
  public mutating func require(_ isPossible: Bool) {
    if isReading, !isPossible { isSound = false }
  }

  /// Encodes or decodes the lowest `count` bytes of a value, in little-endian order.
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

  /// Encodes or decodes a number in seven bits per byte, lowest bits first, in as few bytes as needed (LEB128).
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

  /// Encodes or decodes a case of a closed set by its index.
  public mutating func pass<Choice: CaseIterable & Equatable>(choice: inout Choice) {
    let all = Array(Choice.allCases)
    var index = isReading ? 0 : all.firstIndex(of: choice) ?? all.count
    pass(&index)
    require(all.indices.contains(index))
    if isReading, isSound { choice = all[index] }
  }

  /// Encodes or decodes a case of a closed set, or `nil`.
  public mutating func pass<Choice: CaseIterable & Equatable>(choice: inout Choice?) {
    let all = Array(Choice.allCases)
    var number = choice.flatMap { all.firstIndex(of: $0) }.map { $0 + 1 } ?? .zero
    pass(&number)
    require((0...all.count).contains(number))
    if isReading, isSound { choice = number == 0 ? nil : all[number - 1] }
  }

  /// Encodes or decodes a list whose length both sides know.
  public mutating func pass<Element: BinaryStateCodable>(fixed list: inout ContiguousArray<Element>) {
    for index in list.indices { pass(&list[index]) }
  }
}
