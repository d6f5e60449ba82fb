internal import MienImaging

/// The colours of a picture, counted up to a limit.
struct ColourCount {
  /// In the order in which they are first seen.
  private(set) var colours: [Pixel] = []
  /// False when there were more than the limit.
  private(set) var isComplete = true

  init(_ pixels: ContiguousArray<Pixel>, most: Int) {
    var seen = ContiguousArray<UInt32>(repeating: 0, count: 1024)
    var last: UInt32?
    for pixel in pixels {
      let packed = pixel.packed | 0xFF00_0000
      if packed == last { continue }
      last = packed
      var slot = Int((packed &* 0x9E37_79B1) >> 22)
      while seen[slot] != 0, seen[slot] != packed { slot = (slot + 1) & 1023 }
      if seen[slot] == packed { continue }
      guard colours.count < most else {
        isComplete = false
        return
      }
      seen[slot] = packed
      colours.append(Pixel(packed: packed))
    }
  }
}
