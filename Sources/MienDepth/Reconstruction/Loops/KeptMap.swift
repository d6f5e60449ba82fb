internal import MienModel

/// A filtered depth map as it is kept until loops are closed: half the memory of a ``DepthMap``.
struct KeptMap: Sendable {
  let width: Int
  let height: Int
  let intrinsics: PinholeIntrinsics
  /// Distances in the scan's own steps; 0 = no measurement.
  private let steps: ContiguousArray<UInt16>
  private let metresPerStep: Float

  init(_ map: DepthMap, metresPerStep: Float) {
    (width, height, intrinsics, self.metresPerStep) = (map.width, map.height, map.intrinsics, metresPerStep)
    let perMetre = 1 / metresPerStep
    let metres = map.metres.span
    var steps = ContiguousArray<UInt16>(repeating: 0, count: metres.count)
    var target = steps.mutableSpan
    for index in 0..<metres.count { target[index] = UInt16(min(metres[index] * perMetre + 0.5, 65_535)) }
    self.steps = steps
  }

  var byteCount: Int { steps.count * 2 }

  /// The map in metres again; nil never, as it was one.
  var map: DepthMap? {
    let source = steps.span
    var metres = ContiguousArray<Float>(repeating: 0, count: source.count)
    var target = metres.mutableSpan
    for index in 0..<source.count { target[index] = Float(source[index]) * metresPerStep }
    return DepthMap(width: width, height: height, metres: metres, intrinsics: intrinsics)
  }
}

/// The maps of a scan's frames, as many as there is room for: when it is full every second one is let go.
struct MapShelf: Sendable {
  private(set) var maps: [(frame: Int, map: KeptMap)] = []
  private var byteCount = 0
  private var stride = 1
  private var seen = 0
  private let room: Int

  /// - Parameter room: in bytes.
  init(room: Int = 128 << 20) { self.room = room }

  mutating func put(_ map: KeptMap, frame: Int) {
    defer { seen += 1 }
    guard seen % stride == 0 else { return }
    maps.append((frame, map))
    byteCount += map.byteCount
    guard byteCount > room, maps.count > 2 else { return }
    maps = maps.indices.filter { $0.isMultiple(of: 2) }.map { maps[$0] }
    byteCount = maps.reduce(0) { $0 + $1.map.byteCount }
    stride *= 2
  }
}
