/// Reads bits of a coded header, the most significant of each byte first; zeros beyond the end.
struct HeaderBits {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// `true` if more bits were read than there are.
  var isExhausted: Bool { place > bytes.count * 8 }

  /// Reads an unsigned number of at most 32 bits.
  mutating func number(_ count: Int) -> Int {
    var value = 0
    for _ in 0..<count {
      value = value << 1 | (place >> 3 < bytes.count ? Int(bytes[place >> 3] >> (7 - place & 7) & 1) : 0)
      place += 1
    }
    return value
  }

  mutating func flag() -> Bool { number(1) == 1 }

  mutating func skip(_ count: Int) { place += count }

  /// Reads an Exp-Golomb number, `ue(v)` (ITU-T H.265, section 9.2); `nil` above 2³².
  mutating func exponentialGolomb() -> Int? {
    var zeros = 0
    while !flag() {
      zeros += 1
      guard zeros <= 32, !isExhausted else { return nil }
    }
    return (1 << zeros) - 1 + number(zeros)
  }
}

/// Size and sampling of a coded picture, from the codec's own headers.
struct CodedSize: Hashable {
  var width: Int
  var height: Int

  /// Reads a sequence parameter set of HEVC (ITU-T H.265, section 7.3.2.2); `nil` if it is damaged.
  ///
  /// - Parameter unit: the NAL unit with its header of two bytes.
  init?(hevc unit: ArraySlice<UInt8>) {
    // Removes the bytes that prevent start codes (section 7.4.2); everything up to the size lies in the first bytes.
    var plain: [UInt8] = []
    var zeros = 0
    for byte in unit.dropFirst(2).prefix(256) {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      plain.append(byte)
    }
    var bits = HeaderBits(plain)
    bits.skip(4)
    let layers = bits.number(3)
    bits.skip(1 + 96)
    var known: [(profile: Bool, level: Bool)] = []
    for _ in 0..<layers { known.append((bits.flag(), bits.flag())) }
    if layers > 0 { bits.skip(2 * (8 - layers)) }
    for layer in known { bits.skip((layer.profile ? 88 : 0) + (layer.level ? 8 : 0)) }
    guard layers < 7, bits.exponentialGolomb() != nil, let format = bits.exponentialGolomb() else { return nil }
    if format == 3 { bits.skip(1) }
    guard let width = bits.exponentialGolomb(), let height = bits.exponentialGolomb(), !bits.isExhausted else {
      return nil
    }
    (self.width, self.height) = (width, height)
  }

  /// Reads a sequence header of AV1 (AV1 Bitstream & Decoding Process Specification, section 5.5); `nil` if it is damaged
  /// or if it permits frames much larger than its own size.
  init?(av1 header: ArraySlice<UInt8>) {
    var bits = HeaderBits(header.prefix(64))
    bits.skip(4)
    if bits.flag() {  // reduced_still_picture_header
      bits.skip(5)
    } else {
      guard Self.skipOperatingPoints(&bits) else { return nil }
    }
    let (widthBits, heightBits) = (bits.number(4) + 1, bits.number(4) + 1)
    (width, height) = (bits.number(widthBits) + 1, bits.number(heightBits) + 1)
    // A frame may state its own size in as many bits.
    guard !bits.isExhausted, 1 << widthBits <= 2 * width, 1 << heightBits <= 2 * height else { return nil }
  }

  private static func skipOperatingPoints(_ bits: inout HeaderBits) -> Bool {
    var delayBits = 0
    if bits.flag() {  // timing_info_present_flag
      bits.skip(64)
      if bits.flag(), bits.exponentialGolomb() == nil { return false }
      if bits.flag() {  // decoder_model_info_present_flag
        delayBits = bits.number(5) + 1
        bits.skip(32 + 5 + 5)
      }
    }
    let hasDelay = bits.flag()  // initial_display_delay_present_flag
    for _ in 0...bits.number(5) {
      bits.skip(12)
      if bits.number(5) > 7 { bits.skip(1) }
      if delayBits > 0, bits.flag() { bits.skip(2 * delayBits + 1) }
      if hasDelay, bits.flag() { bits.skip(4) }
      guard !bits.isExhausted else { return false }
    }
    return true
  }
}
