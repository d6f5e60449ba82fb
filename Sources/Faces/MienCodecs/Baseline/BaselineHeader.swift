/// The header segments of a common JPEG: baseline, one scan, Huffman codes, eight bits, gray or luma and two
/// color-difference components.
struct BaselineHeader {
  struct Component {
    /// Number of blocks of the component per MCU, horizontally and vertically.
    var across: Int
    var down: Int
    /// Index of its quantization table.
    var table: Int
    /// Indices of its DC and AC Huffman codes.
    var firstCode = 0
    var otherCode = 0
  }

  private(set) var width = 0
  private(set) var height = 0
  private(set) var components: [Component] = []
  /// By table index: 64 quantization steps in row order.
  private(set) var steps: [[UInt16]?] = Array(repeating: nil, count: 4)
  private(set) var firstCodes: [HuffmanCode?] = Array(repeating: nil, count: 4)
  private(set) var otherCodes: [HuffmanCode?] = Array(repeating: nil, count: 4)
  /// Number of MCUs between restart markers; 0 = none.
  private(set) var restartInterval = 0
  /// Offset of the entropy-coded data.
  private(set) var dataStart = 0
  private var isPlain = true

  /// Returns `nil` for other kinds of JPEG and for damaged ones: the library decoder handles those and reports the
  /// error.
  init?(_ bytes: Span<UInt8>) {
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2, place + 2 + length <= bytes.count else { return nil }
      let segment = bytes.extracting(place + 4..<place + 2 + length)
      place += 2 + length
      switch marker {
      case 0xC0: guard components.isEmpty, readFrame(segment) else { return nil }
      case 0xC4: guard readCodes(segment) else { return nil }
      case 0xDB: guard readSteps(segment) else { return nil }
      case 0xDD:
        guard segment.count == 2 else { return nil }
        restartInterval = Int(segment[0]) << 8 | Int(segment[1])
      case 0xDA:
        guard isPlain, readScan(segment) else { return nil }
        dataStart = place
        return
      case 0xEE: isPlain = isPlain && !Self.isOtherColor(segment)
      case 0xE0: isPlain = isPlain && !Self.isOtherRevision(segment)
      case 0xE1...0xEF, 0xFE: break
      default: return nil
      }
    }
    return nil
  }

  /// Reports whether an Adobe segment declares components other than luma and color differences.
  private static func isOtherColor(_ segment: Span<UInt8>) -> Bool {
    guard segment.count >= 12, segment[0] == 0x41, segment[1] == 0x64 else { return false }
    return segment[11] != 1
  }

  /// Reports whether a JFIF segment has a revision that libjpeg warns about.
  private static func isOtherRevision(_ segment: Span<UInt8>) -> Bool {
    segment.count >= 14 && segment[0] == 0x4A && segment[1] == 0x46 && segment[2] == 0x49 && segment[5] != 1
  }

  private mutating func readFrame(_ segment: Span<UInt8>) -> Bool {
    guard segment.count >= 6, segment[0] == 8 else { return false }
    height = Int(segment[1]) << 8 | Int(segment[2])
    width = Int(segment[3]) << 8 | Int(segment[4])
    let count = Int(segment[5])
    guard width > 0, height > 0, count == 1 || count == 3, segment.count == 6 + 3 * count else { return false }
    for index in 0..<count {
      let (number, sampling) = (segment[6 + 3 * index], segment[7 + 3 * index])
      let (across, down, table) = (Int(sampling >> 4), Int(sampling & 15), Int(segment[8 + 3 * index]))
      // Color differences once per MCU, luma up to twice in each direction.
      let most = index == 0 && count == 3 ? 2 : 1
      guard Int(number) == index + 1, (1...most).contains(across), (1...most).contains(down), table < 4 else {
        return false
      }
      components.append(Component(across: across, down: down, table: table))
    }
    return true
  }

  private mutating func readSteps(_ segment: Span<UInt8>) -> Bool {
    guard segment.count > 0, segment.count.isMultiple(of: 65) else { return false }
    for start in stride(from: 0, to: segment.count, by: 65) {
      // Only 8-bit steps, indicated by 0 in the upper half.
      guard segment[start] < 4 else { return false }
      var table = [UInt16](repeating: 0, count: 64)
      for index in 0..<64 { table[JPEGTables.zigzag[index]] = UInt16(segment[start + 1 + index]) }
      steps[Int(segment[start])] = table
    }
    return true
  }

  private mutating func readCodes(_ segment: Span<UInt8>) -> Bool {
    var start = 0
    while start < segment.count {
      guard start + 17 <= segment.count else { return false }
      let (head, counts) = (segment[start], (1...16).map { Int(segment[start + $0]) })
      start += 17
      let total = counts.reduce(0, +)
      guard head & 0xEF < 4, start + total <= segment.count else { return false }
      let symbols = (start..<start + total).map { segment[$0] }
      guard let code = HuffmanCode(counts: counts, symbols: symbols, first: head & 0x10 == 0) else { return false }
      if head & 0x10 == 0 { firstCodes[Int(head)] = code } else { otherCodes[Int(head & 15)] = code }
      start += total
    }
    return true
  }

  private mutating func readScan(_ segment: Span<UInt8>) -> Bool {
    let count = components.count
    guard count > 0, segment.count == 4 + 2 * count, Int(segment[0]) == count else { return false }
    for index in 0..<count {
      let codes = segment[2 + 2 * index]
      guard Int(segment[1 + 2 * index]) == index + 1, codes >> 4 < 4, codes & 15 < 4 else { return false }
      components[index].firstCode = Int(codes >> 4)
      components[index].otherCode = Int(codes & 15)
    }
    return segment[1 + 2 * count] == 0 && segment[2 + 2 * count] == 63 && segment[3 + 2 * count] == 0
  }
}
