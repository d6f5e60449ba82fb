internal import MienImaging

/// The colours of a picture, up to a limit, and which of them each pixel has.
struct ColourCount {
  /// In the order in which they are first seen.
  let colours: [Pixel]
  /// For each pixel its colour; unspecified when there were more than the limit.
  let indices: ContiguousArray<UInt8>
  /// False when there were more than the limit.
  let isComplete: Bool

  /// - Parameter most: at most 255.
  init(_ pixels: ContiguousArray<Pixel>, most: Int) {
    var colours: [Pixel] = []
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
      let colour = input[place].packed << 8
      // Areas of one colour are long.
      if colour != last || place == 0 {
        last = colour
        var slot = Int((colour &* 0x9E37_79B1) >> 22)
        while seen[slot] != 0, seen[slot] & 0xFFFF_FF00 != colour { slot = (slot + 1) & 1023 }
        if seen[slot] == 0 {
          guard colours.count < most else {
            isComplete = false
            break walk
          }
          colours.append(Pixel(packed: colour >> 8 | 0xFF00_0000))
          seen[slot] = colour | UInt32(colours.count)
        }
        index = UInt8(truncatingIfNeeded: (seen[slot] & 0xFF) - 1)
      }
      output[place] = index
    }
    self.colours = colours
    self.indices = indices
    self.isComplete = isComplete
  }
}
