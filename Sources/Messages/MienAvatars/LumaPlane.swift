internal import MienImaging

/// Luma of an image's pixels, 0…255 each.
struct LumaPlane {
  let width: Int
  let height: Int
  let values: ContiguousArray<UInt8>

  /// Converts with the weights of ITU-R BT.601 in 256ths.
  init(_ frame: Frame) {
    width = frame.width
    height = frame.height
    var values = ContiguousArray<UInt8>(repeating: 0, count: frame.pixels.count)
    var output = values.mutableSpan
    let input = frame.pixels.span
    for index in 0..<input.count {
      let packed = input[index].packed
      let sum = (packed & 0xFF) &* 77 &+ (packed >> 8 & 0xFF) &* 150 &+ (packed >> 16 & 0xFF) &* 29
      output[index] = UInt8(truncatingIfNeeded: sum >> 8)
    }
    self.values = values
  }
}

/// Position of a label in an image, in image pixels.
struct LabelRect: Hashable {
  var x: Float
  var y: Float
  var width: Float
  var height: Float

  /// The rectangle itself and variants whose edges are moved by half a pixel or one pixel.
  var variants: [LabelRect] {
    var all = [self]
    for grown: Float in [0.5, -0.5, 1] {
      all.append(LabelRect(x: x - grown, y: y - grown, width: width + 2 * grown, height: height + 2 * grown))
      all.append(LabelRect(x: x - grown, y: y, width: width + 2 * grown, height: height))
      all.append(LabelRect(x: x, y: y - grown, width: width, height: height + 2 * grown))
    }
    return all
  }
}
