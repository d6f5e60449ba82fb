internal import MienImaging

/// Distinct colors of an image, up to a limit, and the color index of each pixel.
struct ColorHistogram {
  /// Colors in order of first occurrence.
  let colors: [Pixel]
  /// Color index of each pixel; unspecified if the limit was exceeded.
  let indices: ContiguousArray<UInt8>
  /// `false` if the image has more colors than the limit.
  let isComplete: Bool

  /// Counts the colors of an image.
  ///
  /// - Parameter most: Maximum number of colors, at most 255.
  init(_ pixels: ContiguousArray<Pixel>, most: Int) {
    var colors: [Pixel] = []
    var indices = ContiguousArray<UInt8>(repeating: 0, count: pixels.count)
    var isComplete = true
    // Slot → color in the upper bytes, its index + 1 below; 0 if empty.
    var slots = ContiguousArray<UInt32>(repeating: 0, count: 1024)
    var seen = slots.mutableSpan
    var output = indices.mutableSpan
    let input = pixels.span
    var last: UInt32 = 0
    var index: UInt8 = 0
    walk: for place in 0..<input.count {
      let color = input[place].packed << 8
      // Runs of one color are long.
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
