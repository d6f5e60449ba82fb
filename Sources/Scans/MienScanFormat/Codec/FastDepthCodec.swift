/// Fast depth codec: surface prediction, then groups of eight residuals, each with the bit width of the largest.
///
/// Rows are coded from the top. A sample is predicted as left + above − above left; in the first row from the left
/// alone, and the first sample of a row from the sample above. Residuals modulo 65 536 are zigzag-coded (2e for e ≥ 0,
/// −2e−1 otherwise). Two groups share a byte with two widths, the first in the low half: 0…15 bits, where 15 stands for
/// 16. The bits of the eight zigzag-coded residuals follow, least significant first, eight times the width, so that
/// each group fills whole bytes; the widths of two groups are followed by the bits of both. The last group is padded
/// with zeros.
public enum FastDepthCodec {
  /// Encodes a map whose rows have `width` samples; any samples can be encoded.
  public static func encode(_ samples: [UInt16], width: Int) -> [UInt8] {
    let groups = (samples.count + 7) / 8
    var folded = ContiguousArray<UInt16>(repeating: 0, count: (groups + 1) / 2 * 16)
    fold(samples, width: width, into: &folded)
    var bytes = ContiguousArray<UInt8>(repeating: 0, count: (groups + 1) / 2 * 33 + 8)
    let length = pack(folded, into: &bytes)
    return Array(bytes[..<length])
  }

  private static func fold(_ samples: [UInt16], width: Int, into folded: inout ContiguousArray<UInt16>) {
    var folded = folded.mutableSpan
    let samples = ContiguousArray(samples)
    let all = samples.span
    var left = UInt16.zero
    for x in 0..<width {
      folded[x] = zigzag(all[x] &- left)
      left = all[x]
    }
    for row in stride(from: width, to: all.count, by: width) {
      let now = all.extracting(row..<row + width)
      let above = all.extracting(row - width..<row)
      var output = folded._mutatingExtracting(row..<row + width)
      var before = UInt16.zero
      for x in 0..<now.count {
        let difference = now[x] &- above[x]
        output[x] = zigzag(difference &- before)
        before = difference
      }
    }
  }

  @inline(__always) private static func zigzag(_ error: UInt16) -> UInt16 {
    error &<< 1 ^ UInt16(bitPattern: Int16(bitPattern: error) &>> 15)
  }

  private static func pack(_ folded: ContiguousArray<UInt16>, into bytes: inout ContiguousArray<UInt8>) -> Int {
    let folded = folded.span
    var bytes = bytes.mutableSpan
    var place = 0
    for group in stride(from: 0, to: folded.count, by: 16) {
      let widths = place
      place &+= 1
      let low = pack(folded.extracting(group..<group &+ 8), &bytes, &place)
      let high = pack(folded.extracting(group &+ 8..<group &+ 16), &bytes, &place)
      bytes[widths] = low | high &<< 4
    }
    return place
  }

  @inline(__always) private static func pack(
    _ errors: borrowing Span<UInt16>, _ bytes: inout MutableSpan<UInt8>, _ place: inout Int
  ) -> UInt8 {
    var all = errors[0] | errors[1]
    all |= errors[2] | errors[3]
    all |= errors[4] | errors[5]
    all |= errors[6] | errors[7]
    let needed = 16 &- all.leadingZeroBitCount
    let width = needed == 15 ? 16 : needed
    guard width > 0 else { return 0 }
    var pending: UInt64 = 0
    if width <= 8 {
      var shift: UInt64 = 0
      for index in 0..<8 {
        pending |= UInt64(errors[index]) &<< shift
        shift &+= UInt64(truncatingIfNeeded: width)
      }
      for _ in 0..<width {
        bytes[place] = UInt8(truncatingIfNeeded: pending)
        place &+= 1
        pending &>>= 8
      }
    } else {
      var count = 0
      for index in 0..<8 {
        pending |= UInt64(errors[index]) &<< UInt64(truncatingIfNeeded: count)
        count &+= width
        while count >= 8 {
          bytes[place] = UInt8(truncatingIfNeeded: pending)
          place &+= 1
          pending &>>= 8
          count &-= 8
        }
      }
    }
    return UInt8(truncatingIfNeeded: min(width, 15))
  }

  /// Returns the samples of an encoded map.
  ///
  /// - Throws: ``DepthCodecError`` if the bytes are not exactly those of a map of this size.
  public static func decode(_ bytes: ArraySlice<UInt8>, width: Int, height: Int) throws(DepthCodecError) -> [UInt16] {
    let count = width * height
    var folded = ContiguousArray<UInt16>(repeating: 0, count: ((count + 7) / 8 + 1) / 2 * 16)
    try unpack(ContiguousArray(bytes), into: &folded)
    unfold(&folded, width: width, count: count)
    return Array(folded[..<count])
  }

  private static func unpack(
    _ bytes: ContiguousArray<UInt8>, into folded: inout ContiguousArray<UInt16>
  ) throws(DepthCodecError) {
    let bytes = bytes.span
    var folded = folded.mutableSpan
    var place = 0
    for group in stride(from: 0, to: folded.count, by: 16) {
      guard place < bytes.count else { throw .cutShort }
      let widths = bytes[place]
      place &+= 1
      for half in 0..<2 {
        let code = Int(half == 0 ? widths & 15 : widths &>> 4)
        let width = code == 15 ? 16 : code
        guard bytes.count &- place >= width else { throw .cutShort }
        let first = group &+ half &* 8
        var pending: UInt64 = 0
        if width <= 8 {
          for index in 0..<width { pending |= UInt64(bytes[place &+ index]) &<< UInt64(truncatingIfNeeded: index &* 8) }
          let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: width)) &- 1
          for index in 0..<8 {
            folded[first &+ index] = UInt16(truncatingIfNeeded: pending & mask)
            pending &>>= UInt64(truncatingIfNeeded: width)
          }
        } else {
          var (next, held) = (place, 0)
          let mask: UInt64 = (1 &<< UInt64(truncatingIfNeeded: width)) &- 1
          for index in 0..<8 {
            while held < width {
              pending |= UInt64(bytes[next]) &<< UInt64(truncatingIfNeeded: held)
              next &+= 1
              held &+= 8
            }
            folded[first &+ index] = UInt16(truncatingIfNeeded: pending & mask)
            pending &>>= UInt64(truncatingIfNeeded: width)
            held &-= width
          }
        }
        place &+= width
      }
    }
    guard place == bytes.count else { throw .damaged("the length") }
  }

  private static func unfold(_ folded: inout ContiguousArray<UInt16>, width: Int, count: Int) {
    var values = folded.mutableSpan
    var left = UInt16.zero
    for x in 0..<width {
      left = left &+ unzigzag(values[x])
      values[x] = left
    }
    for row in stride(from: width, to: count, by: width) {
      var difference = UInt16.zero
      for x in row..<row &+ width {
        difference = difference &+ unzigzag(values[x])
        values[x] = values[x &- width] &+ difference
      }
    }
  }

  @inline(__always) private static func unzigzag(_ folded: UInt16) -> UInt16 {
    folded &>> 1 ^ (0 &- (folded & 1))
  }
}
