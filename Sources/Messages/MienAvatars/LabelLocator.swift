internal import MienImaging

/// Locator of label candidates in an image: dark regions with the label's aspect ratio and light content.
enum LabelLocator {
  /// Luma limit of the label background.
  private static let darkBelow: UInt8 = 100
  /// Maximum number of samples per side; larger images are subsampled.
  private static let finest = 1400

  /// Returns the candidate rectangles, largest first.
  static func places(in luma: LumaPlane) -> [LabelRect] {
    let step = max(1, max(luma.width, luma.height) / finest)
    return patches(in: luma, step: step).compactMap { patch in
      let width = Float(patch.right - patch.left + 1)
      let height = Float(patch.bottom - patch.top + 1)
      let dark = SIMD2(
        Float(MessageIDLabel.width - 2 * MessageIDLabel.rim), Float(MessageIDLabel.height - 2 * MessageIDLabel.rim))
      guard width >= 40, abs(width / height / (dark.x / dark.y) - 1) < 0.14,
        (0.35...0.95).contains(Float(patch.area) / (width * height))
      else { return nil }
      let scale = SIMD2(width / dark.x, height / dark.y) * Float(step)
      return LabelRect(
        x: Float(patch.left * step) - Float(MessageIDLabel.rim) * scale.x,
        y: Float(patch.top * step) - Float(MessageIDLabel.rim) * scale.y, width: Float(MessageIDLabel.width) * scale.x,
        height: Float(MessageIDLabel.height) * scale.y)
    }.sorted { $0.width > $1.width }.prefix(8).map { $0 }
  }

  private struct Patch {
    var left: Int
    var right: Int
    var top: Int
    var bottom: Int
    var area: Int
    /// Index of the region this one was merged into, or its own index.
    var parent: Int
  }

  /// Returns the 4-connected dark regions, built from runs row by row.
  private static func patches(in luma: LumaPlane, step: Int) -> [Patch] {
    var patches: [Patch] = []
    var above: [(start: Int, end: Int, patch: Int)] = []
    func root(_ index: Int) -> Int {
      var index = index
      while patches[index].parent != index { index = patches[index].parent }
      return index
    }
    for y in 0..<luma.height / step {
      let row = luma.values[y * step * luma.width..<(y * step + 1) * luma.width]
      var runs: [(start: Int, end: Int, patch: Int)] = []
      var start: Int?
      var next = 0
      for x in 0...luma.width / step {
        let isDark = x < luma.width / step && row[row.startIndex + x * step] < darkBelow
        if isDark {
          if start == nil { start = x }
          continue
        }
        guard let first = start else { continue }
        start = nil
        patches.append(
          Patch(left: first, right: x - 1, top: y, bottom: y, area: x - first, parent: patches.count))
        var own = patches.count - 1
        while next < above.count, above[next].end <= first { next += 1 }
        var other = next
        while other < above.count, above[other].start < x {
          let joined = root(above[other].patch)
          if joined != own {
            let part = patches[own]
            patches[own].parent = joined
            patches[joined].left = min(patches[joined].left, part.left)
            patches[joined].right = max(patches[joined].right, part.right)
            patches[joined].top = min(patches[joined].top, part.top)
            patches[joined].bottom = max(patches[joined].bottom, part.bottom)
            patches[joined].area += part.area
            own = joined
          }
          other += 1
        }
        runs.append((first, x, own))
      }
      above = runs
    }
    return patches.indices.filter { patches[$0].parent == $0 }.map { patches[$0] }
  }
}

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
