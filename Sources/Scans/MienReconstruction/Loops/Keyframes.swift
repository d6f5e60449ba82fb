internal import MienCore
internal import MienScanFormat

/// Frame that is a node of the pose graph.
struct Keyframe: Sendable {
  /// Index of the frame, in the order in which frames were added.
  let frame: Int
  let pose: CameraPose
  /// `true` if the device provided the pose.
  let isGiven: Bool
  let map: CompactDepthMap
  /// Median distance in the map, in meters.
  let distance: Float
  /// Path length from the first keyframe, in meters; a rotation counts as the distance that the observed surface moved.
  let way: Float
}

/// Keyframes of a scan: one is added whenever the camera has moved or rotated by a fraction of the observed distance.
struct Keyframes: Sendable {
  private(set) var all: [Keyframe] = []
  /// Minimum motion between keyframes, as a fraction of the distance; doubled when there are too many.
  private var spacing: Float = 0.08
  private static let most = 240
  /// Memory limit of all maps in bytes; at least four keyframes remain regardless, because fewer cannot close a loop.
  private let capacity: Int
  private static let fewest = 4

  init(capacity: Int = 128 << 20) { self.capacity = capacity }

  /// Adds the frame if it is far enough from the last keyframe, or if `always` is set.
  mutating func see(
    _ map: DepthMap, kept: CompactDepthMap, at pose: CameraPose, isGiven: Bool, frame: Int, always: Bool = false
  ) {
    guard let last = all.last else {
      guard let distance = Self.distance(map) else { return }
      return all.append(Keyframe(frame: frame, pose: pose, isGiven: isGiven, map: kept, distance: distance, way: 0))
    }
    guard last.frame != frame else { return }
    let step = last.pose.distance(to: pose) + last.distance * last.pose.turn(to: pose)
    guard always || step >= spacing * last.distance, let distance = Self.distance(map) else { return }
    all.append(
      Keyframe(frame: frame, pose: pose, isGiven: isGiven, map: kept, distance: distance, way: last.way + step))
    let bytes = all.reduce(0) { $0 + $1.map.byteCount }
    guard !always, all.count > Self.most || bytes > capacity && all.count >= 2 * Self.fewest else { return }
    all = all.indices.filter { $0.isMultiple(of: 2) }.map { all[$0] }
    spacing *= 2
  }

  private static func distance(_ map: DepthMap) -> Float? {
    let distances = stride(from: 0, to: map.meters.count, by: 61).map { map.meters[$0] }.filter { $0 > 0 }.sorted()
    return distances.isEmpty ? nil : distances[distances.count / 2]
  }
}

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
    let perMeter = 1 / metersPerStep
    let meters = map.meters.span
    var steps = ContiguousArray<UInt16>(repeating: 0, count: meters.count)
    var target = steps.mutableSpan
    for index in 0..<meters.count { target[index] = UInt16(min(meters[index] * perMeter + 0.5, 65_535)) }
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
