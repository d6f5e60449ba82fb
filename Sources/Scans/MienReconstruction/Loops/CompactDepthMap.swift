internal import MienCore

/// Filtered depth map stored until loop closure, in half the memory of a ``DepthMap``.
struct CompactDepthMap: Sendable {
  let width: Int
  let height: Int
  let intrinsics: PinholeIntrinsics
  /// Distances in the scan's own steps; 0 = no measurement.
  private let steps: ContiguousArray<UInt16>
  private let metersPerStep: Float

  init(_ map: DepthMap, metersPerStep: Float) {
    (width, height, intrinsics, self.metersPerStep) = (map.width, map.height, map.intrinsics, metersPerStep)
    let perMetre = 1 / metersPerStep
    let meters = map.meters.span
    var steps = ContiguousArray<UInt16>(repeating: 0, count: meters.count)
    var target = steps.mutableSpan
    for index in 0..<meters.count { target[index] = UInt16(min(meters[index] * perMetre + 0.5, 65_535)) }
    self.steps = steps
  }

  var byteCount: Int { steps.count * 2 }

  /// The map converted back to meters; never nil, because it was created from a valid map.
  var map: DepthMap? {
    let source = steps.span
    var meters = ContiguousArray<Float>(repeating: 0, count: source.count)
    var target = meters.mutableSpan
    for index in 0..<source.count { target[index] = Float(source[index]) * metersPerStep }
    return DepthMap(width: width, height: height, meters: meters, intrinsics: intrinsics)
  }
}

/// Depth maps of a scan's frames, limited by memory: when the limit is exceeded, every second map is discarded.
struct DepthMapBuffer: Sendable {
  private(set) var maps: [(frame: Int, map: CompactDepthMap)] = []
  private var byteCount = 0
  private var stride = 1
  private var seen = 0
  private let capacity: Int

  /// - Parameter capacity: memory limit in bytes.
  init(capacity: Int = 128 << 20) { self.capacity = capacity }

  mutating func put(_ map: CompactDepthMap, frame: Int) {
    defer { seen += 1 }
    guard seen % stride == 0 else { return }
    maps.append((frame, map))
    byteCount += map.byteCount
    guard byteCount > capacity, maps.count > 2 else { return }
    maps = maps.indices.filter { $0.isMultiple(of: 2) }.map { maps[$0] }
    byteCount = maps.reduce(0) { $0 + $1.map.byteCount }
    stride *= 2
  }
}
