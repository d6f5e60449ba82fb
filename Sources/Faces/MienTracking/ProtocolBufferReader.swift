/// Reads the fields of a protocol buffer in sequence; stops at the first invalid one.
struct ProtocolBufferReader {
  enum Value {
    case integer(UInt64)
    case bytes(ArraySlice<UInt8>)
    case float(Float)
    case other
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func next() -> (number: Int, value: Value)? {
    guard let key = variableInteger() else { return nil }
    let number = Int(key >> 3)
    switch key & 7 {
    case 0:
      guard let value = variableInteger() else { return nil }
      return (number, .integer(value))
    case 1:
      return take(8) == nil ? nil : (number, .other)
    case 2:
      guard let length = variableInteger(), let bytes = take(Int(clamping: length)) else { return nil }
      return (number, .bytes(bytes))
    case 5:
      guard let bytes = take(4) else { return nil }
      return (number, .float(Self.float(bytes)))
    default: return nil
    }
  }

  /// Decodes four little-endian bytes as a float.
  static func float(_ bytes: ArraySlice<UInt8>) -> Float {
    Float(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func variableInteger() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 127) << UInt64(shift)
      if byte < 128 { return value }
    }
    return nil
  }
}
