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
