/// Weights of the face-recognition model as quantized by its authors, a quarter of the size of the numbers that the
/// runtime maps into memory. Packages contain these weights; `scripts/fold-face-model` writes them so that unpacking
/// reproduces the numbers byte for byte.
///
/// Documentation/reference/formats/PackedWeights.md describes the format.
struct PackedWeights {
  private static let magic = Array("MIENWTS1".utf8)

  private let bytes: [UInt8]
  private var place = 0

  /// Size of the file of numbers, in bytes.
  private let size: Int
  private let count: Int

  /// Reads the header.
  ///
  /// - Throws: ``FormatError`` for other data.
  init(_ bytes: [UInt8]) throws(FormatError) {
    self.bytes = bytes
    guard bytes.starts(with: Self.magic) else { throw FormatError() }
    place = Self.magic.count
    size = Int(truncatingIfNeeded: try Self.integer(bytes, &place, bytes: 8))
    count = Int(try Self.integer(bytes, &place, bytes: 4))
    guard (0...Self.mostBytes).contains(size) else { throw FormatError() }
  }

  /// Calls `write` with the offset of each tensor in the file of numbers, in bytes, and its numbers as little-endian 32-bit floats;
  /// returns the size of that file.
  ///
  /// - Throws: ``FormatError`` for data that ends early or is inconsistent, and the errors of `write`.
  mutating func unpack(_ write: (_ offset: Int, _ numbers: [UInt8]) throws -> Void) throws -> Int {
    for _ in 0..<count {
      let offset = Int(truncatingIfNeeded: try Self.integer(bytes, &place, bytes: 8))
      let numbers = try tensor()
      guard offset >= 0, offset <= size, numbers.count <= size - offset else { throw FormatError() }
      try write(offset, numbers)
    }
    guard place == bytes.count else { throw FormatError() }
    return size
  }

  /// Returns the next tensor's numbers as little-endian 32-bit floats.
  private mutating func tensor() throws(FormatError) -> [UInt8] {
    var shape: [Int] = []
    while shape.count < 5 { shape.append(Int(try Self.integer(bytes, &place, bytes: 4))) }
    let (outer, length, inner, block, factorCount) = (shape[0], shape[1], shape[2], shape[3], shape[4])
    if outer == 0 { return Array(try take(4, length)) }
    let blocks = block > 0 ? (length + block - 1) / block : 0
    guard blocks > 0, inner > 0 else { throw FormatError() }
    let factors = try take(8, factorCount)
    let scales = try take(4, outer, blocks, inner)
    let zeros = try take(1, outer, blocks, inner)
    let steps = try take(1, outer, length, inner)
    guard factorCount == 0 || steps.count.isMultiple(of: factorCount) else { throw FormatError() }
    let perFactor = factorCount == 0 ? steps.count : steps.count / factorCount

    var numbers = [UInt8](repeating: 0, count: 4 * steps.count)
    var index = 0
    for row in 0..<outer {
      for position in 0..<length {
        let first = (row * blocks + position / block) * inner
        for column in 0..<inner {
          let scaleIndex = first + column
          // The product is exact in 64 bits, and rounded once, as `scripts/fold-face-model` computes it.
          let step = Int(Int8(bitPattern: steps[steps.startIndex + index]))
          let zero = Int(Int8(bitPattern: zeros[zeros.startIndex + scaleIndex]))
          var number = Float(Double(step - zero) * Double(Self.float(scales, scaleIndex)))
          if factorCount > 0 { number = Float(Double(number) * Self.double(factors, index / perFactor)) }
          let pattern = number.bitPattern
          for byte in 0..<4 { numbers[4 * index + byte] = UInt8(truncatingIfNeeded: pattern >> (8 * UInt32(byte))) }
          index += 1
        }
      }
    }
    return numbers
  }

  /// Returns the next bytes, as many as the product of the sizes.
  ///
  /// - Throws: ``FormatError`` if fewer bytes are left.
  private mutating func take(_ sizes: Int...) throws(FormatError) -> ArraySlice<UInt8> {
    var total = 1
    for size in sizes {
      let (product, overflow) = total.multipliedReportingOverflow(by: size)
      guard !overflow, product <= bytes.count - place else { throw FormatError() }
      total = product
    }
    defer { place += total }
    return bytes[place..<place + total]
  }

  private static func integer(_ bytes: [UInt8], _ place: inout Int, bytes count: Int) throws(FormatError) -> UInt64 {
    guard bytes.count - place >= count else { throw FormatError() }
    defer { place += count }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func float(_ bytes: ArraySlice<UInt8>, _ index: Int) -> Float {
    let start = bytes.startIndex + 4 * index
    return Float(
      bitPattern: UInt32(bytes[start]) | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2]) << 16
        | UInt32(bytes[start + 3]) << 24)
  }

  private static func double(_ bytes: ArraySlice<UInt8>, _ index: Int) -> Double {
    let start = bytes.startIndex + 8 * index
    return Double(bitPattern: bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// Maximum size of the numbers, more than any model has, so that a damaged header cannot fill a disk.
  private static let mostBytes = 1 << 30

  /// The data is not packed weights, or ends early.
  struct FormatError: Error {}
}
