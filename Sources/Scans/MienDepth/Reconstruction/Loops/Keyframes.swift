/// A frame that the pose graph has a node for.
struct Keyframe: Sendable {
  /// The frame's number, in the order in which frames were added.
  let frame: Int
  let pose: CameraPose
  /// Whether the device said where it was.
  let isGiven: Bool
  let map: CompactDepthMap
  /// The middle of the map's distances, in metres.
  let distance: Float
  /// The way from the first keyframe, in metres; a turn counts as the way that what was seen made.
  let way: Float
}

/// The keyframes of a scan: a new one whenever the camera has moved or turned by a part of what it sees.
struct Keyframes: Sendable {
  private(set) var all: [Keyframe] = []
  /// How far from one to the next, as a part of the distance; doubled when there are too many.
  private var spacing: Float = 0.08
  private static let most = 240
  /// What all their maps together may take, in bytes; four are kept however large they are, since fewer close no loop.
  private let room: Int
  private static let fewest = 4

  init(room: Int = 128 << 20) { self.room = room }

  /// Takes the frame when it is far enough from the last one, or when it must be a keyframe.
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
    guard !always, all.count > Self.most || bytes > room && all.count >= 2 * Self.fewest else { return }
    all = all.indices.filter { $0.isMultiple(of: 2) }.map { all[$0] }
    spacing *= 2
  }

  private static func distance(_ map: DepthMap) -> Float? {
    let distances = stride(from: 0, to: map.meters.count, by: 61).map { map.meters[$0] }.filter { $0 > 0 }.sorted()
    return distances.isEmpty ? nil : distances[distances.count / 2]
  }
}
