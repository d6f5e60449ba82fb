/// Makes a surface of a scan, frame by frame.
///
/// Each frame is filtered, placed against what was fused before, and fused. It works one frame at a time on the
/// caller's thread: the caller shows progress and stops between frames as it likes.
public struct Reconstructor: Sendable {
  public let settings: ReconstructionSettings
  let tracking: TrackingSettings
  private let metersPerStep: Float
  private var volume: VoxelVolume
  private var report = ReconstructionReport()
  private var sums = (before: Float.zero, after: Float.zero)
  /// How many frames the second sum is of.
  private var measured = 0
  /// The frame before and its pose, and the pose before that.
  private var previous: (map: DepthMap, pose: CameraPose, given: CameraPose?)?
  private var beforePrevious: CameraPose?
  /// The first frame, to see at the end how far the way drifted.
  private var first: (map: DepthMap, pose: CameraPose)?
  /// What closing loops needs.
  private(set) var keyframes = Keyframes()
  private var shelf = DepthMapBuffer()
  /// Maps that are still to be fused anew, the next one last.
  private var again: [(frame: Int, map: CompactDepthMap)] = []
  /// The device's own poses of the frames, one for each of ``poses``.
  private(set) var givenPoses: [CameraPose?] = []
  /// The poses that the frames got, in the order in which they were added; nil for those left out.
  public private(set) var poses: [CameraPose?] = []

  /// Refuses (nil) voxels and truncations out of range (see ``VoxelVolume``).
  public init?(_ header: ScanHeader, settings: ReconstructionSettings = ReconstructionSettings()) {
    guard
      let volume = VoxelVolume(
        voxel: settings.voxel, truncation: settings.truncation(for: header.sensor),
        largestBlockCount: settings.largestBlockCount)
    else { return nil }
    self.volume = volume
    self.settings = settings
    tracking = settings.tracking ?? TrackingSettings(for: header.sensor)
    metersPerStep = header.metersPerStep
  }

  /// Adds a frame of the scan.
  ///
  /// - Throws: ``ReconstructionError`` when the volume is full or the frame too large.
  public mutating func add(_ frame: ScanFrame) throws(ReconstructionError) {
    var filter = settings.filter
    while true {
      guard let map = DepthMap(frame, metersPerStep: metersPerStep, keeping: filter) else {
        throw ReconstructionError(.mapTooLarge, "a depth map has more than four million samples")
      }
      // Where hardly anything is sure, the less sure is better than nothing.
      if filter.leastConfidence == 0 || map.validCount * 10 >= map.width * map.height {
        return try add(map, from: frame.pose)
      }
      filter.leastConfidence -= 1
    }
  }

  /// Adds a depth map in metres; `given` is the device's own pose of it, if it has one.
  ///
  /// - Throws: ``ReconstructionError`` when the volume is full.
  public mutating func add(_ map: DepthMap, from given: CameraPose?) throws(ReconstructionError) {
    var map = map
    map.dropEdges(settings.filter)
    givenPoses.append(given)
    guard map.validCount >= 100 else {
      report.framesEmpty += 1
      poses.append(nil)
      return
    }
    guard let pose = place(map, given) else {
      report.framesLost += 1
      poses.append(nil)
      return
    }
    try volume.fuse(map, from: pose)
    report.framesFused += 1
    poses.append(pose)
    if settings.closesLoops, settings.refinesPoses {
      let kept = CompactDepthMap(map, metersPerStep: metersPerStep)
      shelf.put(kept, frame: poses.count - 1)
      keyframes.see(map, kept: kept, at: pose, isGiven: given != nil, frame: poses.count - 1)
    }
    if first == nil { first = (map, pose) }
    beforePrevious = previous?.pose
    previous = (map, pose, given)
  }

  /// Makes the last frame a keyframe, so that the way's end is in the graph.
  mutating func keepLast() {
    guard let previous, let frame = poses.lastIndex(where: { $0 != nil }) else { return }
    let kept = CompactDepthMap(previous.map, metersPerStep: metersPerStep)
    keyframes.see(
      previous.map, kept: kept, at: previous.pose, isGiven: previous.given != nil, frame: frame, always: true)
  }

  /// Empties the volume to fill it anew from other poses.
  ///
  /// - Returns: how many maps are to be fused.
  mutating func beginAgain(at poses: [CameraPose?], loops: Int, bend: Float) -> Int {
    (report.loopsClosed, report.largestBend) = (loops, bend)
    volume.clear()
    self.poses = poses
    again = shelf.maps.reversed()
    (shelf, keyframes) = (DepthMapBuffer(), Keyframes())
    (sums.after, measured) = (0, 0)
    if let first = poses.first(where: { $0 != nil }) ?? nil { self.first?.pose = first }
    if let last = poses.last(where: { $0 != nil }) ?? nil { previous?.pose = last }
    return again.count
  }

  /// Fuses the next frame anew after ``closeLoops(while:)``.
  ///
  /// - Returns: false when there was none left.
  /// - Throws: ``ReconstructionError`` when the volume is full.
  public mutating func fuseAgain() throws(ReconstructionError) -> Bool {
    guard let next = again.popLast() else { return false }
    guard let map = next.map.map, let pose = poses[next.frame] else { return true }
    let sample = PointSample(map, wanted: tracking.points)
    if let residual = volume.residual(sample, at: pose, leastOverlap: tracking.leastOverlap) {
      sums.after += residual
      measured += 1
    }
    try volume.fuse(map, from: pose)
    return true
  }

  private mutating func place(_ map: DepthMap, _ given: CameraPose?) -> CameraPose? {
    guard let previous else { return given ?? .identity }
    if let given, !settings.refinesPoses { return given }
    let sample = PointSample(map, wanted: tracking.points)
    let start = start(of: map, sample, given, after: previous)
    guard let start,
      let placed = volume.place(sample, from: start, given: given, settings: tracking)
    else {
      return given
    }
    report.framesPlaced += 1
    sums.before += placed.residualBefore
    sums.after += placed.residual
    measured += 1
    if let given {
      report.largestShift = max(report.largestShift, given.distance(to: placed.pose))
      report.largestTurn = max(report.largestTurn, given.turn(to: placed.pose))
    }
    return placed.pose
  }

  /// Where to look for the camera: the best fit of what the device says, of that with the frame before's correction,
  /// and of the way gone on with; laid onto the map before when none of them fits well.
  private func start(
    of map: DepthMap, _ sample: PointSample, _ given: CameraPose?,
    after previous: (map: DepthMap, pose: CameraPose, given: CameraPose?)
  ) -> CameraPose? {
    var candidates: [CameraPose] = []
    if let given {
      candidates.append(given)
      if let before = previous.given, let moved = RigidMotion(from: before, to: previous.pose).moved(given) {
        candidates.append(moved)
      }
    }
    if let going = predicted(previous.pose) { candidates.append(going) }
    let fits = candidates.map { (pose: $0, misfit: volume.misfit(sample, at: $0)) }
    guard let best = fits.min(by: { $0.misfit < $1.misfit }) else { return given }
    if best.misfit < tracking.goodMisfit { return best.pose }
    let last = SurfaceMap(previous.map, at: previous.pose, largestStep: settings.filter.largestStep)
    let tries = (given == nil ? [best.pose, previous.pose] : [best.pose]).compactMap {
      last.place(sample, from: $0, settings: tracking)?.pose
    }
    let better = (tries + [best.pose]).map { (pose: $0, misfit: volume.misfit(sample, at: $0)) }
    return better.min { $0.misfit < $1.misfit }?.pose
  }

  /// Where the camera would be had it gone on as before.
  private func predicted(_ pose: CameraPose) -> CameraPose? {
    guard let beforePrevious else { return pose }
    return RigidMotion(from: beforePrevious, to: pose).moved(pose)
  }

  /// The surface, and how it came about.
  ///
  /// - Parameter isWanted: asked every now and then; when it says no, there is no surface or only a part of one.
  /// - Throws: ``ReconstructionError`` with code `nothingMeasured` when there is no surface, `lost` when the camera's
  ///   way could not be followed over most of the scan, `tooLarge` when it has too many triangles.
  public func surface(
    while isWanted: () -> Bool = { true }
  ) throws(ReconstructionError) -> (mesh: SurfaceMesh, report: ReconstructionReport) {
    guard report.framesFused > 0 else {
      throw ReconstructionError(.nothingMeasured, "no frame has a measurement that is worth keeping")
    }
    guard report.framesLost <= report.framesFused else {
      throw ReconstructionError(
        .lost,
        "the camera's way was lost in \(report.framesLost) of \(report.framesLost + report.framesFused) frames: scan more slowly"
      )
    }
    let least = Float(min(settings.leastFrames, max(1, report.framesFused / 4)))
    var mesh = try volume.surface(
      leastWeight: least, largestTriangleCount: settings.largestTriangleCount, while: isWanted)
    mesh.dropPieces(under: settings.smallestPiece)
    guard !mesh.triangles.isEmpty else {
      throw ReconstructionError(.nothingMeasured, "no surface was seen often enough")
    }
    var report = report
    report.blocks = volume.blockCount
    if report.framesPlaced > 0 {
      report.residualBefore = sums.before / Float(report.framesPlaced)
      report.residual = measured > 0 ? sums.after / Float(measured) : nil
    }
    report.drift = drift()
    return (mesh, report)
  }

  private func drift() -> Float? {
    guard report.framesFused > 2, let first, let previous else { return nil }
    let map = SurfaceMap(first.map, at: first.pose, largestStep: settings.filter.largestStep)
    let sample = PointSample(previous.map, wanted: tracking.points)
    guard let placed = map.place(sample, from: previous.pose, settings: tracking) else { return nil }
    let (before, after) = (placed.residualBefore, placed.residual)
    return max(before * before - after * after, 0).squareRoot()
  }
}

extension Reconstructor: CustomStringConvertible, CustomReflectable {
  public var description: String { "Reconstructor(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
