internal import MienImaging

/// The colours of a picture, up to a limit, and which of them each pixel has.
struct ColorHistogram {
  /// In the order in which they are first seen.
  let colors: [Pixel]
  /// For each pixel its colour; unspecified when there were more than the limit.
  let indices: ContiguousArray<UInt8>
  /// False when there were more than the limit.
  let isComplete: Bool

  /// - Parameter most: at most 255.
  init(_ pixels: ContiguousArray<Pixel>, most: Int) {
    var colors: [Pixel] = []
    var indices = ContiguousArray<UInt8>(repeating: 0, count: pixels.count)
    var isComplete = true
    // Slot → colour in the upper bytes, its index + 1 below them; 0 where empty.
    var slots = ContiguousArray<UInt32>(repeating: 0, count: 1024)
    var seen = slots.mutableSpan
    var output = indices.mutableSpan
    let input = pixels.span
    var last: UInt32 = 0
    var index: UInt8 = 0
    walk: for place in 0..<input.count {
      let color = input[place].packed << 8
      // Areas of one colour are long.
      if color != last || place == 0 {
        last = color
        var slot = Int((color &* 0x9E37_79B1) >> 22)
        while seen[slot] != 0, seen[slot] & 0xFFFF_FF00 != color { slot = (slot + 1) & 1023 }
        if seen[slot] == 0 {
          guard colors.count < most else {
            isComplete = false
            break walk
          }
          colors.append(Pixel(packed: color >> 8 | 0xFF00_0000))
          seen[slot] = color | UInt32(colors.count)
        }
        index = UInt8(truncatingIfNeeded: (seen[slot] & 0xFF) - 1)
      }
      output[place] = index
    }
    self.colors = colors
    self.indices = indices
    self.isComplete = isComplete
  }
}
