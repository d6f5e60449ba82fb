internal import MienImaging

/// Finds the nearest of up to 256 colours.
struct ColourLookup {
  private let red: [SIMD16<Int32>]
  private let green: [SIMD16<Int32>]
  private let blue: [SIMD16<Int32>]
  private static let slots = 1 << 14

  init(_ colours: [Pixel]) {
    // Filled up with colours further away than any.
    func lanes(_ part: (Pixel) -> UInt8) -> [SIMD16<Int32>] {
      stride(from: 0, to: colours.count, by: 16).map { start in
        var lane = SIMD16<Int32>(repeating: 10_000)
        for index in start..<min(start + 16, colours.count) { lane[index - start] = Int32(part(colours[index])) }
        return lane
      }
    }
    red = lanes(\.red)
    green = lanes(\.green)
    blue = lanes(\.blue)
  }

  private func nearest(_ pixel: Pixel) -> UInt8 {
    let r = SIMD16(repeating: Int32(pixel.red))
    let g = SIMD16(repeating: Int32(pixel.green))
    let b = SIMD16(repeating: Int32(pixel.blue))
    var best = SIMD16<Int32>(repeating: .max)
    var block = SIMD16<Int32>(repeating: 0)
    for index in red.indices {
      let (dr, dg, db) = (red[index] &- r, green[index] &- g, blue[index] &- b)
      let distance = dr &* dr &+ dg &* dg &+ db &* db
      let isNearer = distance .< best
      best.replace(with: distance, where: isNearer)
      block.replace(with: Int32(index), where: isNearer)
    }
    let least = best.min()
    for lane in 0..<16 where best[lane] == least { return UInt8(truncatingIfNeeded: Int(block[lane]) * 16 + lane) }
    return 0
  }

  /// The index of the nearest colour for each pixel; a colour that came lately is not looked for again.
  func indices(_ pixels: ContiguousArray<Pixel>) -> ContiguousArray<UInt8> {
    // Slot → colour with its index in the fourth byte; an empty slot holds black with index 0, which may be wrong.
    var known = ContiguousArray<UInt64>(repeating: .max, count: Self.slots)
    var indices = ContiguousArray<UInt8>(repeating: 0, count: pixels.count)
    var cache = known.mutableSpan
    var output = indices.mutableSpan
    let input = pixels.span
    for position in 0..<input.count {
      let packed = input[position].packed & 0xFF_FFFF
      let slot = Int((packed &* 0x9E37_79B1) >> 18)
      if cache[slot] >> 8 == UInt64(packed) {
        output[position] = UInt8(truncatingIfNeeded: cache[slot])
      } else {
        let index = nearest(input[position])
        cache[slot] = UInt64(packed) << 8 | UInt64(index)
        output[position] = index
      }
    }
    return indices
  }
}
